// zlib as the platform ships it; nothing of zlib is copied into this repository.
#include <zlib.h>
