import LoopCore
import LoopMigration
import Testing

private struct Form: Equatable {
    struct Address: Equatable { var city = "" }
    var name = ""
    var address = Address()
}

@Suite struct MutationTests {
    @Test func `a mutation sets the property it names and nothing else`() {
        var form = Form(name: "Ada", address: .init(city: "London"))
        Mutation(\Form.address.city, value: "Turin").apply(to: &form)
        #expect(form == Form(name: "Ada", address: .init(city: "Turin")))
    }

    @Test func `a mutation may be any change`() {
        var form = Form(name: "Ada")
        let mutation = Mutation<Form> { $0.name += "!" }
        mutation.apply(to: &form)
        mutation.apply(to: &form)
        #expect(form.name == "Ada!!")
        #expect(mutation.keyPath == nil)
    }

    @Test func `a mutation tells its property and keeps its value to itself`() {
        let mutation = Mutation(\Form.name, value: "somebody's name")
        #expect(mutation.keyPath == \Form.name)
        #expect(mutation.description == "\\Form.name")
        #expect(!"\(mutation)".contains("somebody"))
        #expect("\(Mutation<Form> { $0.name = "x" })" == "a change")
    }

    @Test @MainActor func `mutations are events like others, in their order`() {
        let system = System(initialState: Form(), reducer: { (form: inout Form, event: Mutation<Form>) in event.apply(to: &form) })
        system.send(.mutation(Mutation(\.name, value: "Ada")))
        system.send(Mutation { $0.address.city = $0.name })
        #expect(system.state == Form(name: "Ada", address: .init(city: "Ada")))
        #expect(system.eventNumber == 2)
    }
}
