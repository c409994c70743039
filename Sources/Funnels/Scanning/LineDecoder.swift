import Basics
import EventFiles
import TrackingEvents

/// Decodes the lines of a batch, one at a time.
///
/// Escapes, which are rare, are undone in buffers, one for each field. Not `Sendable`: each batch has a decoder of its own.
struct LineDecoder {
    private let scanner: EventLineScanner
    private let name = ByteBuffer(capacity: 64)
    private let user = ByteBuffer(capacity: 64)
    private let session = ByteBuffer(capacity: 64)
    private let id = ByteBuffer(capacity: 64)
    private let system = ByteBuffer(capacity: 64)

    /// - Parameter validatesLines: whether a line has to be sound as a whole; else only its head has to be.
    init(validatesLines: Bool = false) { scanner = EventLineScanner(validatesLines ? .wholeLine : .head) }

    /// Calls `body` with what the line says, which is valid until `body` returns; says whether the line can be used.
    @inline(__always)
    func decode(_ line: UnsafeRawBufferPointer, _ body: (EventHead) -> Void) -> Bool {
        guard let event = try? scanner.scan(line) else { return false }
        // The head points into the buffers, which the optimiser does not know.
        withExtendedLifetime(self) {
            var head = EventHead(time: event.timeMilliseconds, name: event.name.unescaped(in: line, scratch: name))
            head.user = event.user.unescaped(in: line, scratch: user)
            head.session = event.session.unescaped(in: line, scratch: session)
            head.sequence = event.sequence
            head.idText = event.id.unescaped(in: line, scratch: id)
            head.id = head.idText.fingerprint
            head.idBeginning = IDSpan.beginning(of: head.idText)
            head.system = event.system.unescaped(in: line, scratch: system)
            switch event.kind {
            case .track: head.kind = .event
            case .meta: head.kind = .meta
            case .timing: head.kind = .timing
            }
            head.properties = EventProperties(event.properties.bytes(in: line))
            head.line = line
            body(head)
        }
        return true
    }
}
