/// Numbers of the format (github.com/apache/parquet-format, `parquet.thrift`) that the writer and the reader share.
enum ParquetFormat {
    static let magic: [UInt8] = Array("PAR1".utf8)

    enum Encoding: Int64 { case plain = 0, rle = 3, deltaBinaryPacked = 5, deltaByteArray = 7, rleDictionary = 8 }
    enum Codec: Int64 { case uncompressed = 0, gzip = 2 }
    enum PageType: Int64 { case data = 0, dictionary = 2 }

    /// The metadata key of the checksums of the column chunks: eight hexadecimal digits for each, in the order of the row groups.
    static let chunkChecksums = "crc32.chunks"
    /// The metadata key of the regions: for each its size in bytes in sixteen hexadecimal digits, and its checksum in eight.
    static let regions = "crc32.regions"
    /// The metadata key of the footer's own checksum: eight hexadecimal digits. They are all `0` while the checksum is computed.
    static let footerChecksum = "crc32.footer"
    static let emptyChecksum = "00000000"

    // The most that a reader accepts, so that a malicious file costs neither memory nor time. This module's writer stays far below.
    static let maxFooterBytes = 1 << 26
    static let maxColumns = 1 << 12
    static let maxRowsOfGroup: Int64 = 1 << 24
    static let maxPageBytes: Int64 = 1 << 28
}
