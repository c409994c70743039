enum Search {
    struct State { var query: String? }
    enum Event { case found([Product]) }
    static func reduce(state: inout State, event: Event) {}
}
