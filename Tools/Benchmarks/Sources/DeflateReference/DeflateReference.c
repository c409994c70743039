#include "DeflateReference.h"

#include <string.h>
#include <zlib.h>

size_t deflate_blocks(const unsigned char *bytes, size_t length, size_t block, int level) {
    static unsigned char output[1 << 17];
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (block > 65280 || deflateInit2(&stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    size_t total = 0;
    volatile unsigned long sum = 0;
    for (size_t offset = 0; offset < length; offset += block) {
        size_t size = length - offset < block ? length - offset : block;
        deflateReset(&stream);
        stream.next_in = (unsigned char *)bytes + offset;
        stream.avail_in = (unsigned)size;
        stream.next_out = output;
        stream.avail_out = sizeof output;
        if (deflate(&stream, Z_FINISH) != Z_STREAM_END) {
            total = 0;
            break;
        }
        sum += crc32(0, bytes + offset, (unsigned)size);
        total += sizeof output - stream.avail_out;
    }
    deflateEnd(&stream);
    return total;
}

long inflate_and_count_lines(const char *path) {
    static unsigned char output[1 << 18];
    gzFile file = gzopen(path, "rb");
    if (!file) return -1;
    gzbuffer(file, 1 << 17);
    long lines = 0;
    int length;
    while ((length = gzread(file, output, sizeof output)) > 0) {
        for (unsigned char *at = output; (at = memchr(at, '\n', (size_t)(output + length - at))); at++) lines++;
    }
    gzclose(file);
    return lines;
}
