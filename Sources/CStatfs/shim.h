// What kind a file system is: the one call that Swift's Glibc leaves out.
#ifdef __linux__
#include <sys/statfs.h>
#endif
