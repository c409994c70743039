#ifndef DEFLATE_REFERENCE_H
#define DEFLATE_REFERENCE_H

#include <stddef.h>

/// Compresses `length` bytes in blocks of `block` bytes at a level, each with its CRC-32, and drops the result: the least work of a writer.
/// Returns the compressed size, or 0 if `block` is over 65,280 or zlib fails.
size_t deflate_blocks(const unsigned char *bytes, size_t length, size_t block, int level);

/// Inflates a file of gzip members and counts the line feeds: the least work of a reader.
/// Returns the count up to the first damage, or -1 if the file cannot be opened.
long inflate_and_count_lines(const char *path);

#endif
