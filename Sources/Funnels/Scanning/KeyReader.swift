import EventFiles
import TrackingEvents

/// Takes a funnel's key from lines.
enum KeyReader: Sendable {
    case user
    case session
    case system
    case property(PropertyReader)
    case context

    init(_ key: FunnelKey) {
        self =
            switch key {
            case .user: .user
            case .session: .session
            case .system: .system
            case .property(let path): .property(PropertyReader(path: path))
            // At first events are known by their session only.
            case .context: .context
            }
    }

    /// Whether the line has a value for the key; an empty text is none.
    @inline(__always)
    func stands(on line: EventHead) -> Bool {
        switch self {
        case .user: !line.user.isEmpty
        case .session, .context: !line.session.isEmpty
        case .system: !line.system.isEmpty
        case .property(let reader): reader.withText(in: line.props) { $0.map { !$0.isEmpty } ?? false }
        }
    }

    /// The fingerprint of the key's value; an empty text is none.
    @inline(__always)
    func fingerprint(_ line: EventHead) -> Fingerprint {
        func ofText(_ text: UnsafeRawBufferPointer) -> Fingerprint { text.isEmpty ? .none : .of(text) }
        return switch self {
        case .user: ofText(line.user)
        case .session: ofText(line.session)
        case .system: ofText(line.system)
        case .property(let reader): reader.withText(in: line.props) { $0.map(ofText) ?? .none }
        case .context: line.session.isEmpty ? .none : Fingerprint.of(line.session)
        }
    }

    /// Calls `body` with the key's value; not at all where the line has none.
    func withText(_ line: EventHead, _ body: (UnsafeRawBufferPointer) -> Void) {
        func give(_ text: UnsafeRawBufferPointer) {
            if !text.isEmpty { body(text) }
        }
        switch self {
        case .user: give(line.user)
        case .session: give(line.session)
        case .system: give(line.system)
        case .property(let reader): reader.withText(in: line.props) { $0.map(give) }
        case .context: break
        }
    }
}

extension Fingerprint {
    /// Stands for a text of which only its presence matters.
    static var unread: Fingerprint { Fingerprint(high: 0, low: 1) }
}

extension UnsafeRawBufferPointer? {
    /// The text's fingerprint; a missing and an empty text have none.
    var fingerprint: Fingerprint {
        guard let self, !self.isEmpty else { return .none }
        return .of(self)
    }
}
