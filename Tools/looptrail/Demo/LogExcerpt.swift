import Basics
import LoopCore
import LoopLogging
import ShopDemo
import TrackingEvents

/// The logs of the first visits. The demo shows the longest of them that is not too long.
final class LogExcerpt: Sendable {
    /// How many visits are logged. To format the logs of all visits would take longer than the simulation itself.
    static let visits = 60

    private let lines = Lock<[Int: [String]]>([:])

    /// The middleware that logs a visit; empty if the visit is not among the first.
    func middleware(visit: Int) -> [Middleware<Shop.State, Shop.Event>] {
        guard visit < Self.visits else { return [] }
        let values = LogValues<Shop.State, Shop.Event>(limit: 120, state: Self.describe)
        return [.log(LogOptions(values: values), to: .closure { [lines] line in lines.withLock { $0[visit, default: []].append(line) } })]
    }

    /// The longest log of at most `most` lines; the first of several.
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
