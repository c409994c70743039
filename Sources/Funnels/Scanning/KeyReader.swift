import EventFiles
import TrackingEvents

/// Reads a funnel's key from a line.
enum KeyReader: Sendable {
    case user, session, system, context
    case property(PropertyReader)

    init(_ key: FunnelKey) {
        switch key {
        case .user: self = .user
        case .session: self = .session
        case .system: self = .system
        case .property(let path): self = .property(PropertyReader(path: path))
        // The context is known when all is read; until then the session stands for it.
        case .context: self = .context
        }
    }

    var isUser: Bool { if case .user = self { true } else { false } }

    /// The fingerprint of the key's value; an empty text is none.
    @inline(__always)
    func fingerprint(_ line: EventHead) -> Fingerprint { withText(line) { $0.fingerprint } }

    /// Calls `body` with the key's value; with an empty text where the line has none.
    @inline(__always)
    func withText<Result>(_ line: EventHead, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .user: body(line.user)
        case .session, .context: body(line.session)
        case .system: body(line.system)
        case .property(let reader): line.properties.withText(at: reader) { body($0 ?? UnsafeRawBufferPointer(start: nil, count: 0)) }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The text's fingerprint; an empty text has none.
    @inline(__always)
    var fingerprint: Fingerprint { isEmpty ? .none : .of(self) }
}
