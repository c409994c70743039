import Basics
import LoopCore
import LoopLogging
import ShopDemo
import TrackingEvents

/// The log of a few visits, of which the demo shows the richest one.
final class LogExcerpt: Sendable {
    /// How many visits are logged; formatting all of them would take longer than the shop itself.
    static let visits = 60

    private let lines = Lock<[Int: [String]]>([:])

    /// The log of one visit, if it is one of those.
    func middleware(visit: Int) -> [Middleware<Shop.State, Shop.Event>] {
        guard visit < Self.visits else { return [] }
        let values = LogValues<Shop.State, Shop.Event>(limit: 120, state: Self.describe)
        return [.log(LogOptions(values: values), to: .closure { [lines] line in lines.withLock { $0[visit, default: []].append(line) } })]
    }

    /// The longest log of at most `most` lines; of several the first.
    func longest(most: Int = 24) -> [String] {
        lines.withLock { lines in
            lines.sorted { $0.key < $1.key }.map(\.value).filter { $0.count <= most }.reduce([]) { $1.count > $0.count ? $1 : $0 }
        }
    }

    /// A state in the words of the shop: its case and what is in the cart, not every product's every field.
    private static func describe(_ state: Shop.State) -> String {
        let name = EventName.name(of: state)
        let items = state.cart.products.count
        return items == 0 ? name : "\(name), \(items) in the cart"
    }
}
