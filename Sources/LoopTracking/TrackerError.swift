/// What keeps a tracker from doing all of its work. It goes on with the rest.
public enum TrackerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The anonymous id could not be read or kept.
    case anonymousID(AnonymousIDError)
    /// This process is the child of a `fork`, and the tracker belongs to its parent: it drops and counts events here.
    case inForkedChild

    public var description: String {
        switch self {
        case .anonymousID(let error): "\(error)"
        case .inForkedChild: "This tracker was made before fork(): in the child its events are dropped. Make a new tracker in the child."
        }
    }
}
