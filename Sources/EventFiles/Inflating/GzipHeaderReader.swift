internal import CZlib

/// Reads the header of a gzip member byte by byte (RFC 1952 §2.3); what it says beside the format is passed over.
struct GzipHeaderReader {
    enum State: Equatable { case reading, whole, wrong }

    private enum Part { case fixed, extraLength, extra, name, comment, checksum }

    private enum Flag {
        static let checksum: UInt8 = 2
        static let extra: UInt8 = 4
        static let name: UInt8 = 8
        static let comment: UInt8 = 16
        static let reserved: UInt8 = 0xE0
    }

    private(set) var state = State.reading
    private var part = Part.fixed
    /// How many bytes of the part were read.
    private var count = 0
    private var flags: UInt8 = 0
    private var extraLength = 0
    private var crc: UInt = 0
    private var expected: UInt = 0

    mutating func take(_ byte: UInt8) {
        if part != .checksum { note(byte) }
        switch part {
        case .fixed: takeFixed(byte)
        case .extraLength:
            extraLength |= Int(byte) << (8 * count)
            count += 1
            if count == 2 { begin(extraLength == 0 ? .name : .extra) }
        case .extra:
            count += 1
            if count == extraLength { begin(.name) }
        case .name: if byte == 0 { begin(.comment) }
        case .comment: if byte == 0 { begin(.checksum) }
        case .checksum:
            expected |= UInt(byte) << UInt(8 * count)
            count += 1
            if count == 2 { state = expected == crc & 0xFFFF ? .whole : .wrong }
        }
    }

    private mutating func note(_ byte: UInt8) {
        withUnsafePointer(to: byte) { crc = UInt(crc32_z(crc, $0, 1)) }
    }

    private mutating func takeFixed(_ byte: UInt8) {
        let isRight =
            switch count {
            case 0: byte == 0x1F
            case 1: byte == 0x8B
            case 2: byte == 8
            case 3: byte & Flag.reserved == 0
            default: true
            }
        if !isRight {
            state = .wrong
            return
        }
        if count == 3 { flags = byte }
        count += 1
        if count == 10 { begin(.extraLength) }
    }

    /// Goes on with this part, or with the first after it that the header has.
    private mutating func begin(_ part: Part) {
        count = 0
        self.part = part
        switch part {
        case .extraLength: if flags & Flag.extra == 0 { begin(.name) }
        case .name: if flags & Flag.name == 0 { begin(.comment) }
        case .comment: if flags & Flag.comment == 0 { begin(.checksum) }
        case .checksum: if flags & Flag.checksum == 0 { state = .whole }
        case .fixed, .extra: break
        }
    }
}
