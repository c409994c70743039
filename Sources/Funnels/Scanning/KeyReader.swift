import TrackingEvents

/// Takes a funnel's key from lines.
enum KeyReader: Sendable {
    case user
    case session
    case system
    case property(PropertyReader)

    init(_ key: FunnelKey) {
        self =
            switch key {
            case .user: .user
            case .session: .session
            case .system: .system
            case .property(let path): .property(PropertyReader(path: path))
            }
    }

    /// The fingerprint of the key's value, 0 where the line has none; an empty text is none.
    ///
    /// - Parameter isWanted: if not, anything but 0 stands for a value.
    @inline(__always)
    func fingerprint(_ line: EventHead, isWanted: Bool) -> UInt64 {
        func ofText(_ text: UnsafeRawBufferPointer) -> UInt64 { text.isEmpty ? 0 : isWanted ? Fingerprint.of(text) : 1 }
        return switch self {
        case .user: ofText(line.user)
        case .session: ofText(line.session)
        case .system: ofText(line.system)
        case .property(let reader): reader.withText(in: line.props) { $0.map(ofText) ?? 0 }
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
        }
    }
}
