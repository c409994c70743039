enum Cart {
    enum Event { case note(String), buy }
    struct State: Equatable {
        var title = ""
        var note = ""
        var total = 0
    }
}
