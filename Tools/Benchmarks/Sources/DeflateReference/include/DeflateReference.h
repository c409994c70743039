#ifndef DEFLATE_REFERENCE_H
#define DEFLATE_REFERENCE_H

#include <stddef.h>

/// Compresses `length` bytes in blocks of `block` bytes at a level, each with its CRC-32, and throws the result away.
/// What a writer would cost that did nothing but compress. Returns the compressed size, 0 on failure.
size_t deflate_blocks(const unsigned char *bytes, size_t length, size_t block, int level);

/// Inflates a file of gzip members and counts the line feeds. What a reader would cost that did nothing but inflate.
/// Returns the count, -1 if the file cannot be read.
long inflate_and_count_lines(const char *path);

#endif
