import LoopCore
import LoopMigration
import LoopViews
import Testing

private struct Form: Equatable {
    struct Address: Equatable { var street = "", city = "" }
    var name = ""
    var isSubscribed = false
    var isSheetShown = true
    var address = Address()
}

private enum FormEvent: MutationEvent {
    case named(String), address(Form.Address), dismissed, mutation(Mutation<Form>)
}

@MainActor private func form() -> System<Form, FormEvent> {
    System(
        initialState: Form(),
        reducer: { (form: inout Form, event: FormEvent) in
            switch event {
            case .named(let name): form.name = String(name.prefix(5))
            case .address(let address): form.address = address
            case .dismissed: form.isSheetShown = false
            case .mutation(let mutation): mutation.apply(to: &form)
            }
        })
}

@MainActor @Suite struct ViewStoreBindingTests {
    @Test func `writing sends an event, and what is read is what the reducer made of it`() {
        let store = ViewStore(form())
        let name = store.binding(for: \.name, event: FormEvent.named)
        #expect(name.wrappedValue == "")
        name.wrappedValue = "Ada"
        #expect(store.name == "Ada")
        name.wrappedValue = "Ada Lovelace"
        #expect(name.wrappedValue == "Ada L")
    }

    @Test func `a binding follows the state whoever changes it`() {
        let system = form()
        let name = ViewStore(system).binding(for: \.name, event: FormEvent.named)
        system.send(.named("Grace"))
        #expect(name.wrappedValue == "Grace")
    }

    @Test func `a binding to one event sends it whatever is written`() {
        let store = ViewStore(form())
        let sheet = store.binding(for: \.isSheetShown, event: .dismissed)
        sheet.wrappedValue = true
        #expect(!store.isSheetShown)
    }

    @Test func `a binding's own closures decide what a write does`() {
        let system = form()
        let store = ViewStore(system)
        let name = ViewBinding(
            get: { store.name },
            set: { name in
                if name.isEmpty { return }
                store.send(.named(name))
                store.send(.dismissed)
            })
        name.wrappedValue = ""
        #expect(system.eventNumber == 0)
        name.wrappedValue = "Ada"
        #expect(name.wrappedValue == "Ada")
        #expect(!store.isSheetShown)
    }

    @Test func `a trailing closure makes the event`() {
        let store = ViewStore(form())
        let name = store.binding(for: \.name) { .named($0.uppercased()) }
        name.wrappedValue = "ada"
        #expect(store.name == "ADA")
    }

    @Test func `reading a binding is observed`() {
        let store = ViewStore(form())
        let name = store.binding(for: \.name, event: FormEvent.named)
        let drawing = Drawing { _ = name.wrappedValue }
        name.wrappedValue = ""
        #expect(drawing.invalidations == 0)
        name.wrappedValue = "Ada"
        #expect(drawing.invalidations == 1)
    }

    @Test func `a binding to a property of the value writes the value back with that property changed`() {
        let store = ViewStore(form())
        let address = store.binding(for: \.address, event: FormEvent.address)
        address.city.wrappedValue = "London"
        address.street.wrappedValue = "St James's Square"
        #expect(store.address == Form.Address(street: "St James's Square", city: "London"))
        #expect(address.city.wrappedValue == "London")
    }

    @Test func `a binding of a scoped store sends the part's event`() {
        let store = ViewStore(form())
        let address = store.scope(state: \.address, event: FormEvent.address)
        let city = address.binding(for: \.city) { Form.Address(street: address.street, city: $0) }
        city.wrappedValue = "Turin"
        #expect(store.address.city == "Turin")
    }

    @Test func `the origin of an event is the place that made the binding`() {
        let system = form()
        var lines: [UInt] = []
        system.attach(Middleware { if let line = $0.origin?.line { lines.append(line) } })
        let store = ViewStore(system)
        let name = store.binding(for: \.name, event: FormEvent.named)
        let sheet = store.binding(for: \.isSheetShown, event: .dismissed)
        let subscribed = store.binding(for: \.isSubscribed)
        name.wrappedValue = "Ada"
        sheet.wrappedValue = false
        subscribed.wrappedValue = true
        let here: UInt = #line
        #expect(lines == [here - 6, here - 5, here - 4])
    }

    @Test func `a value that is written while a state is shown waits its turn`() {
        let system = form()
        let store = ViewStore(system)
        let name = store.binding(for: \.name, event: FormEvent.named)
        var shown: [String] = []
        system.bind { form in
            shown.append(form.name)
            if form.name == "one" { name.wrappedValue = "two" }
        }
        name.wrappedValue = "one"
        #expect(shown == ["", "one", "two"])
        #expect(name.wrappedValue == "two")
    }

    @Test func `mutate sets a property through the reducer`() {
        let system = form()
        var events: [String] = []
        system.attach(
            Middleware { if case .mutation(let mutation)? = $0.event { events.append("\(mutation)") } })
        let store = ViewStore(system)
        store.mutate(keyPath: \.name, value: "longer than five")
        store.mutate(keyPath: \.address.city, value: "Paris")
        #expect(store.name == "longer than five")
        #expect(store.address.city == "Paris")
        #expect(events.count == 2)
    }

    @Test func `a binding by mutation needs no event of its own`() {
        let store = ViewStore(form())
        let subscribed = store.binding(for: \.isSubscribed)
        subscribed.wrappedValue = true
        #expect(store.isSubscribed)
        store.binding(for: \.address).city.wrappedValue = "Oslo"
        #expect(store.address.city == "Oslo")
    }

    @Test func `a system may have mutations only`() {
        let store = ViewStore(
            System(initialState: Form(), reducer: { (form: inout Form, event: Mutation<Form>) in event.apply(to: &form) }))
        store.mutate(keyPath: \.name, value: "Ada")
        store.send(Mutation { $0.isSubscribed.toggle() })
        #expect(store.state == Form(name: "Ada", isSubscribed: true))
    }

    @Test func `a binding keeps its store, and the store its system`() {
        weak var gone: System<Form, FormEvent>?
        do {
            let name: ViewBinding<String>
            do {
                let system = form()
                gone = system
                name = ViewStore(system).binding(for: \.name, event: FormEvent.named)
            }
            name.wrappedValue = "Ada"
            #expect(name.wrappedValue == "Ada")
            #expect(gone != nil)
        }
        #expect(gone == nil)
    }
}
