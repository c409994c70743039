/// What a reducer of the asynchronous style returns: a description of how the next value comes about.
///
/// Nothing runs until the loop runs it; a `Next` that is dropped has done nothing. While its work runs, later events wait.
/// ```swift
/// func reduce(state: State, event: Event) -> Next<State> {
///     switch event {
///     case .load(let id):
///         .run { .loaded(try await shop.product(id)) }
///             .stateWhenLoading(.loading)
///             .recover { .value(.failed("\($0)")) }
///     case .leave: .value(.start)
///     }
/// }
/// ```
/// The operators build a new description from one or several: ``map(_:)``, ``flatMap(_:)``, ``recover(_:)``, ``zip(_:)``, ``parallel(_:)``.
/// The loading state goes through all of them; through `zip` and `parallel` only if every part has one or is known already.
public struct Next<Value> {
    /// Asynchronous work. It runs on the isolation of the system, so it may use what is not `Sendable`.
    typealias Work = nonisolated(nonsending) () async throws -> Value

    /// Work that may end in further work, with a loading value of its own.
    @usableFromInline typealias Stage = nonisolated(nonsending) () async throws -> Next

    @usableFromInline
    enum Plan {
        case value(Value)
        case work(Stage, loading: Value?)
    }

    @usableFromInline let plan: Plan
    @usableFromInline var key: EffectKey?

    @inlinable
    init(_ plan: Plan, key: EffectKey? = nil) { (self.plan, self.key) = (plan, key) }

    /// Sets `value` and returns `true` if the new value is known now.
    ///
    /// Other modules see the body to specialize it. It is never inlined: the copy of a large value would take its caller's stack.
    @inlinable
    @inline(never)
    func put(into value: inout Value) -> Bool {
        guard case .value(let new) = plan else { return false }
        value = new
        return true
    }

    /// The value is known now.
    @inlinable
    public static func value(_ value: Value) -> Next { Next(.value(value)) }

    /// The state is known now: ``value(_:)`` under the name that reads best in a reducer.
    @inlinable
    public static func state(_ value: Value) -> Next { .value(value) }

    /// The value comes from asynchronous work.
    ///
    /// If it throws and nothing recovers from the error, the state goes back to the one before the event. The step is `.cancelled` for a
    /// `CancellationError`, and `.failed` for any other error. The loop goes on.
    public static func run(_ work: @escaping () async throws -> Value) -> Next { Next(.work({ .value(try await work()) }, loading: nil)) }

    /// Work that fails at once with this error.
    public static func failure(_ error: any Error) -> Next { .run { throw error } }

    /// This description with a value to show while the work runs. A value that is known now stays as it is.
    public func stateWhenLoading(_ loading: Value) -> Next {
        guard case .work(let work, _) = plan else { return self }
        return Next(.work(work, loading: loading), key: key)
    }

    /// This description with a name for its work, so that ``Effect/cancel(_:)`` can end it. The step is then `.cancelled`, and the state
    /// goes back to the one before the event.
    ///
    /// In ``zip(_:)`` and ``parallel(_:)`` the names of the parts do not count: name the whole.
    public func id(_ id: EffectID) -> Next { Next(plan, key: EffectKey(id: id)) }

    /// This description for a reducer inside a part: the name belongs to the part.
    func inside(_ path: [PartID]) -> Next {
        guard case .work(let work, let loading) = plan else { return self }
        return Next(.work({ try await work().inside(path) }, loading: loading), key: key?.inside(path))
    }

    /// The value to show before any work runs: the known value, or the loading value.
    var now: Value? {
        switch plan {
        case .value(let value): value
        case .work(_, let loading): loading
        }
    }

    /// Runs the description by hand, where there is no loop to run it: in tests, and inside other work. Loading values are skipped.
    public nonisolated(nonsending) func value() async throws -> Value {
        var next = self
        while true {
            switch next.plan {
            case .value(let value): return value
            case .work(let work, _): next = try await work()
            }
        }
    }
}
