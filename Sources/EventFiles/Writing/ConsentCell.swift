import Synchronization
import TrackingEvents

/// The writer's consent where a forked child can read it: the lock that guards it otherwise may stay locked in the child for ever.
final class ConsentCell: Sendable {
    private let cell = Atomic<UInt8>(0)

    var consent: TrackingConsent {
        switch cell.load(ordering: .acquiring) {
        case 0: .granted
        case 1: .pending
        default: .denied
        }
    }

    func set(_ consent: TrackingConsent) {
        let number: UInt8 =
            switch consent {
            case .granted: 0
            case .pending: 1
            case .denied: 2
            }
        cell.store(number, ordering: .releasing)
    }
}
