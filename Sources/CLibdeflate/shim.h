// libdeflate as the platform ships it (Debian: libdeflate-dev); used behind the trait `Libdeflate` alone.
#include <libdeflate.h>
