import LoopCore
import Observation

struct Trolley: Equatable {
    var items: [String] = []
    var note = ""
    var title: String { "\(items.count) in the cart" }
}

enum TrolleyEvent { case add(String), note(String), clear, load }

@MainActor func cart(_ items: [String] = []) -> System<Trolley, TrolleyEvent> {
    System(
        initialState: Trolley(items: items),
        next: { (cart: Trolley, event: TrolleyEvent) -> Next<Trolley> in
            var cart = cart
            switch event {
            case .add(let item): cart.items.append(item)
            case .note(let note): cart.note = note
            case .clear: cart.items = []
            case .load:
                var loading = cart
                loading.note = "loading"
                cart.items.append("loaded")
                let loaded = cart
                return Next<Trolley>.run { loaded }.stateWhenLoading(loading)
            }
            return .state(cart)
        })
}

/// Counts how often what it reads would have to be drawn anew.
@MainActor final class Drawing {
    private(set) var invalidations = 0
    private let read: () -> Void

    init(_ read: @escaping () -> Void) {
        self.read = read
        draw()
    }

    func draw() {
        // Called on the main actor, because that is where the state is set.
        withObservationTracking(read) { MainActor.assumeIsolated { self.invalidations += 1 } }
    }
}

/// Looks at an object without keeping it alive.
final class Weak<Object: AnyObject> {
    private(set) weak var object: Object?
    init(_ object: Object?) { self.object = object }
}
