private final class ShopView { func show(_ state: Shop.State) {} }
let view = ShopView()
