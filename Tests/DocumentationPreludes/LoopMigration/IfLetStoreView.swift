enum Detail { enum Event { case close } }
enum ShopEvent { case detail(Detail.Event) }
struct Shop: Equatable { var detail: Int? }
struct DetailView: View {
    let store: ViewStore<Int, Detail.Event>
    var body: some View { EmptyView() }
}
let shop = ViewStore(System(initialState: Shop()) { (_: inout Shop, _: ShopEvent) in })
