// The calls of zlib that Sources use. This machine's own zlib.h does not serve, because it includes headers of this machine's C library.
typedef __SIZE_TYPE__ size_t;
typedef struct {
    unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler, reserved;
} z_stream;
#define Z_NO_FLUSH 0
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_MEM_ERROR (-4)
#define Z_BUF_ERROR (-5)
#define Z_DEFLATED 8
#define Z_DEFAULT_STRATEGY 0
#define Z_HUFFMAN_ONLY 2
#define ZLIB_VERSION "1"
int deflateInit2_(z_stream *stream, int level, int method, int windowBits, int memLevel, int strategy, const char *version, int size);
int deflate(z_stream *stream, int flush);
int deflateReset(z_stream *stream);
int deflateEnd(z_stream *stream);
int inflateInit2_(z_stream *stream, int windowBits, const char *version, int size);
int inflate(z_stream *stream, int flush);
int inflateReset(z_stream *stream);
int inflateEnd(z_stream *stream);
unsigned long crc32_z(unsigned long crc, const unsigned char *bytes, size_t count);
const char *zlibVersion(void);
