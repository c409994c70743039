import LoopCore

/// The apps of `Before`, as they are written now. ``CallSiteTests`` counts the words between the marks.
enum After {
    // MARK: Login
    enum Login {
        struct State: Equatable {
            var name = ""
            var isBusy = false
            var token: String?
        }
        enum Event { case submit, leave, answered(String) }

        static func reducer(_ api: API) -> Reducer<State, Event> {
            Reducer { state, event in
                switch event {
                case .submit:
                    state.isBusy = true
                    return .run { [name = state.name] in .answered(try await api.signIn(name)) }.id("sign in")
                case .leave:
                    state.isBusy = false
                    return .cancel("sign in")
                case .answered(let token):
                    state.isBusy = false
                    state.token = token
                    return .none
                }
            }
        }

        static func system(_ api: API) -> System<State, Event> {
            System(initialState: State(name: "ada"), reducer: reducer(api))
        }
    }
    // MARK: Todo
    enum Todos {
        struct State: Equatable {
            var titles: [String] = []
            var isLoading = false
        }
        enum Event { case load, loaded([String]), remove(Int) }

        static func reducer(_ store: TodoStore) -> Reducer<State, Event> {
            Reducer { state, event in
                switch event {
                case .load:
                    state.isLoading = true
                    return .run { .loaded(try await store.load()) }
                case .loaded(let titles): state = State(titles: titles)
                case .remove(let index): state.titles.remove(at: index)
                }
                return .none
            }
        }
    }
    enum Editor {
        struct State: Equatable {
            var text = ""
            var isSaving = false
        }
        enum Event { case type(String), save, saved(String) }

        static func reducer(_ store: TodoStore) -> Reducer<State, Event> {
            Reducer { state, event in
                switch event {
                case .type(let text): state.text = text
                case .save:
                    state.isSaving = true
                    return .run { [text = state.text] in .saved(try await store.save(text)) }
                case .saved: break
                }
                return .none
            }
        }
    }
    enum TodoApp {
        struct State: Equatable {
            var todos = Todos.State()
            var editor: Editor.State?
        }
        enum Event { case todos(Todos.Event), editor(Editor.Event), write, close }

        static let todos = Part(\State.todos, Event.todos)
        static let editor = Part(\State.editor, Event.editor)

        static func reducer(_ store: TodoStore) -> Reducer<State, Event> {
            .all(
                Todos.reducer(store).on(todos), Editor.reducer(store).on(editor),
                Reducer { state, event in
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

        static func system(_ store: TodoStore) -> System<State, Event> {
            System(initialState: State(), reducer: reducer(store))
        }
        @MainActor static func todos(of system: System<State, Event>) -> Scope<Todos.State, Todos.Event> { system.scope(todos) }
        @MainActor static func editor(of system: System<State, Event>) -> Scope<Editor.State, Editor.Event>? { system.scope(editor) }
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

        static func price(_ prices: Prices) -> Feedback<State, Event> {
            .onChange(of: \.sku) { sku in .run { .priced(try await prices.price(sku)) } }
        }
    }
    enum Shop {
        struct State: Equatable {
            var cart = Cart.State()
            var detail: Detail.State?
        }
        enum Event { case cart(Cart.Event), detail(Detail.Event), open(String), close }

        static let cart = Part(\State.cart, Event.cart)
        static let detail = Part(\State.detail, Event.detail)

        static var reducer: Reducer<State, Event> {
            .all(
                Reducer(Cart.reduce).on(cart), Reducer(Detail.reduce).on(detail),
                Reducer { state, event in
                    switch event {
                    case .open(let sku): state.detail = Detail.State(sku: sku)
                    case .close: state.detail = nil
                    case .cart, .detail: break
                    }
                })
        }

        static func system(_ prices: Prices) -> System<State, Event> {
            System(initialState: State(), feedbacks: [Detail.price(prices).on(detail)], reducer: reducer)
        }
        @MainActor static func cart(of system: System<State, Event>) -> Scope<Cart.State, Cart.Event> { system.scope(cart) }
    }
    // MARK: End
}
