import TrackingEvents

/// The writer's consent where a forked child can read it: the lock that guards it otherwise may stay locked in the child for ever.
///
/// `@unchecked Sendable`: written under the lock of the writer's state, and read in a child process alone, where there is no other thread.
final class ConsentCell: @unchecked Sendable {
    private let cell: UnsafeMutablePointer<UInt8>

    init() {
        cell = .allocate(capacity: 1)
        self.consent = .granted
    }

    deinit { cell.deallocate() }

    var consent: TrackingConsent {
        get { cell.pointee == 0 ? .granted : cell.pointee == 1 ? .pending : .denied }
        set {
            cell.pointee =
                switch newValue {
                case .granted: 0
                case .pending: 1
                case .denied: 2
                }
        }
    }
}
