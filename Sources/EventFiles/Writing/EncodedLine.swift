import TrackingEvents

/// What a drop needs of a line: its session, and whether it is a meta line. A line of a log says nothing.
struct EncodedLine {
    let session: String?
    let isMeta: Bool

    init(_ line: UnsafeBufferPointer<UInt8>) {
        let line = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line).dropLast())
        let head = try? EventLineScanner().scan(line)
        session = head.flatMap { $0.session.isMissing ? nil : $0.session.string(in: line) }
        isMeta = head?.kind == .meta
    }
}
