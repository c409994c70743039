import LoopCore
import LoopViews
import SwiftUI

enum Detail { enum Event { case close } }

enum ShopEvent { case detail(Detail.Event), basket(Int) }

struct Shop: Equatable {
    typealias Event = ShopEvent
    var detail: Int?
    var total = 0
    var basket = 0
    static let cart = Part(\Shop.basket, ShopEvent.basket)
    static let item = Part(\Shop.detail, ShopEvent.detail)
}

struct DetailView<Event>: View {
    let store: ViewStore<Int, Event>
    var body: some View { EmptyView() }
}

struct TotalView<Event>: View {
    let total: ViewStore<Int, Event>
    var body: some View { EmptyView() }
}

@MainActor let shop = ViewStore(System(initialState: Shop()) { (_: inout Shop, _: ShopEvent) in })
@MainActor let store = shop
