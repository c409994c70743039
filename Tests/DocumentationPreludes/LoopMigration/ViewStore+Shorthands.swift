struct Form: Equatable {
    enum Event: MutationEvent { case mutation(Mutation<Form>) }
    var name = ""
}
let form = ViewStore(System(initialState: Form()) { (_: inout Form, _: Form.Event) in })
