import LoopCore
import LoopMigration

/// Three apps as they were written before reducers returned effects and children were parts. ``CallSiteTests`` counts the words between
/// the marks.
enum Before {
    // MARK: Login
    enum Login {
        struct Request: Equatable {
            var number: Int
            var name: String
        }
        struct State: Equatable {
            var name = ""
            var requests = 0
            var request: Request?
            var token: String?
            var isBusy: Bool { request != nil }
        }
        enum Event { case submit, leave, answered(String) }

        static func reduce(state: inout State, event: Event) {
            switch event {
            case .submit:
                state.requests += 1
                state.request = Request(number: state.requests, name: state.name)
            case .leave: state.request = nil
            case .answered(let token):
                state.request = nil
                state.token = token
            }
        }

        static var signIn: DependentFeedback<State, Event, API> {
            DependentFeedback { api in
                .skippingRepeated(state: \.request) { request in .answered(try await api.signIn(request.name)) }
            }
        }

        static func system(_ api: API) -> System<State, Event> {
            System(initialState: State(name: "ada"), dependency: api, feedbacks: [signIn], reducer: Reducer(reduce))
        }
    }
    // MARK: Todo
    enum Todos {
        struct State: Equatable {
            var titles: [String] = []
            var isLoading = false
        }
        enum Event { case load, loaded([String]), remove(Int) }

        static func reduce(state: inout State, event: Event) {
            switch event {
            case .load: state.isLoading = true
            case .loaded(let titles): state = State(titles: titles)
            case .remove(let index): state.titles.remove(at: index)
            }
        }

        static var loading: DependentFeedback<State, Event, TodoStore> {
            DependentFeedback { store in
                .predicate(\.isLoading) { _ in .loaded(try await store.load()) }
            }
        }
    }
    enum Editor {
        struct State: Equatable {
            var text = ""
            var isSaving = false
        }
        enum Event { case type(String), save, saved(String) }

        static func reduce(state: inout State, event: Event) {
            switch event {
            case .type(let text): state.text = text
            case .save: state.isSaving = true
            case .saved: break
            }
        }

        static var saving: DependentFeedback<State, Event, TodoStore> {
            DependentFeedback { store in
                .predicate(\.isSaving) { state in .saved(try await store.save(state.text)) }
            }
        }
    }
    enum TodoApp {
        struct State: Equatable {
            var todos = Todos.State()
            var editor: Editor.State?
        }
        enum Event { case todos(Todos.Event), editor(Editor.Event), write, close }

        static var reducer: Reducer<State, Event> {
            .combine(
                Reducer(Todos.reduce).pullback(state: \State.todos, event: EnumCase(Event.todos)),
                Reducer(Editor.reduce).optional().pullback(state: \State.editor, event: EnumCase(Event.editor)),
                Reducer { (state: inout State, event: Event) in
                    switch event {
                    case .write: state.editor = Editor.State()
                    case .close: state.editor = nil
                    case .editor(.saved(let title)):
                        state.todos.titles.append(title)
                        state.editor = nil
                    case .todos, .editor: break
                    }
                })
        }

        static var feedback: DependentFeedback<State, Event, TodoStore> {
            .combine(
                Todos.loading.pullback(state: { $0.todos }, event: EnumCase(Event.todos), dependency: { $0 }),
                Editor.saving.pullback(state: { $0.editor }, event: EnumCase(Event.editor), dependency: { $0 }))
        }

        static func system(_ store: TodoStore) -> System<State, Event> {
            System(initialState: State(), dependency: store, feedbacks: [feedback], reducer: reducer)
        }
        @MainActor static func todos(of system: System<State, Event>) -> Scope<Todos.State, Todos.Event> {
            system.scope(state: \.todos, event: Event.todos)
        }
        @MainActor static func editor(of system: System<State, Event>) -> Scope<Editor.State, Editor.Event>? {
            system.scope.scope(ifLet: \.editor, event: Event.editor)
        }
    }
    // MARK: Shop
    enum Detail {
        struct State: Equatable {
            var sku: String
            var price: Int?
        }
        enum Event { case priced(Int) }

        static func reduce(state: inout State, event: Event) {
            switch event {
            case .priced(let price): state.price = price
            }
        }

        static var price: DependentFeedback<State, Event, Prices> {
            DependentFeedback { prices in
                .skippingRepeated(state: \.sku) { sku in .priced(try await prices.price(sku)) }
            }
        }
    }
    enum Shop {
        struct State: Equatable {
            var cart = Cart.State()
            var detail: Detail.State?
        }
        enum Event { case cart(Cart.Event), detail(Detail.Event), open(String), close }

        static var reducer: Reducer<State, Event> {
            .combine(
                Reducer(Cart.reduce).pullback(state: \State.cart, event: EnumCase(Event.cart)),
                Reducer(Detail.reduce).optional().pullback(state: \State.detail, event: EnumCase(Event.detail)),
                Reducer { (state: inout State, event: Event) in
                    switch event {
                    case .open(let sku): state.detail = Detail.State(sku: sku)
                    case .close: state.detail = nil
                    case .cart, .detail: break
                    }
                })
        }

        static var feedback: DependentFeedback<State, Event, Prices> {
            Detail.price.pullback(state: { $0.detail }, event: EnumCase(Event.detail), dependency: { $0 })
        }

        static func system(_ prices: Prices) -> System<State, Event> {
            System(initialState: State(), dependency: prices, feedbacks: [feedback], reducer: reducer)
        }
        @MainActor static func cart(of system: System<State, Event>) -> Scope<Cart.State, Cart.Event> {
            system.scope(state: \.cart, event: Event.cart)
        }
    }
    // MARK: End
}
