struct Form: Equatable {
    enum Event { case nameChanged(String) }
    var name = ""
}
let form = ViewStore(System(initialState: Form()) { (_: inout Form, _: Form.Event) in })
