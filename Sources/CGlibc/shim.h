// What Swift's Glibc leaves out: what kind a file system is, and giving freed memory back.
#ifdef __linux__
#include <malloc.h>
#include <sys/statfs.h>
#endif
