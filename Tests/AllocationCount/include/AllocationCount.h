#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/// How often the calling thread has allocated memory since it began; -1 where that cannot be counted.
long allocations_of_this_thread(void);

#endif
