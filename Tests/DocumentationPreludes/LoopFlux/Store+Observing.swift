struct Label { var text = "" }
struct Screen { func show(_ product: Product) {} }
struct List { func show(_ items: [Product]) {} }
struct Shelf: Equatable {
    var count = 0
    var product: Promise<Product> = .idle()
    var isOpen = false
    var items: [Product] = []
}
var label = Label()
let view = Screen()
let list = List()
let store = Store(Shelf(), dispatcher: dispatcher, controller: ())
