import Foundation
import LoopCore
import LoopLogging
import LoopRecording

struct Product: Codable, Equatable, Sendable {
    var sku = ""
}

enum ShopEvent: Codable, Sendable {
    case load(String), loaded(Product), tick, pay
}

struct ShopState: Codable, Equatable, Sendable {
    static let start = ShopState()
    var cart: [Product] = []
}

typealias AppState = ShopState
typealias AppEvent = ShopEvent

enum Shop {
    static func reduce(state: inout ShopState, event: ShopEvent) {}
}

@MainActor let system = System(initialState: ShopState.start, reducer: Shop.reduce)
