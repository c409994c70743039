final class Shelf { func show(_ product: Product) {} }
let view = Shelf()
