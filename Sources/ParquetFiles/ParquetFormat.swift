/// Numbers of the format (github.com/apache/parquet-format, `parquet.thrift`) that the writer and the reader share.
enum ParquetFormat {
    static let magic: [UInt8] = Array("PAR1".utf8)

    enum Encoding: Int64 {
        case plain = 0
        case rle = 3
        case deltaBinaryPacked = 5
        case deltaByteArray = 7
        case rleDictionary = 8
    }

    enum Codec: Int64 {
        case uncompressed = 0
        case gzip = 2
    }

    enum PageType: Int64 {
        case data = 0
        case dictionary = 2
    }

    /// Keys of the file's metadata. Here: a checksum of eight hexadecimal digits for each column chunk, in the order of the row groups.
    static let chunkChecksums = "crc32.chunks"
    /// For each region its number of bytes in sixteen hexadecimal digits, and its checksum in eight.
    static let regions = "crc32.regions"
    /// The footer's own checksum, in eight hexadecimal digits. It is taken while these are all `0`.
    static let footerChecksum = "crc32.footer"
    static let emptyChecksum = "00000000"

    // The most that a reader takes: a file that lies costs neither memory nor time. Writers of this module stay far below.
    static let maxFooterBytes = 1 << 26
    static let maxColumns = 1 << 12
    static let maxRowsOfGroup: Int64 = 1 << 24
    static let maxPageBytes: Int64 = 1 << 28
}
