/// What a reducer of the asynchronous style returns: a description of how the next value comes about.
///
/// Nothing runs until the loop runs it; a `Next` that is dropped has done nothing. While its work runs, later events wait.
/// ```swift
/// func reduce(state: State, event: Event) -> Next<State> {
///     switch event {
///     case .load(let id):
///         .run { .loaded(try await shop.product(id)) }
///             .stateWhenLoading(.loading)
///             .mapErrorRecover { .failed("\($0)") }
///     case .leave: .state(.start)
///     }
/// }
/// ```
public struct Next<Value> {
    /// Asynchronous work. It runs on the isolation of the system, so it may use what is not `Sendable`.
    public typealias Work = nonisolated(nonsending) () async throws -> Value

    @usableFromInline
    enum Plan {
        case value(Value)
        case work(Work, loading: Value?)
    }

    @usableFromInline let plan: Plan

    @inlinable
    init(_ plan: Plan) { self.plan = plan }

    /// The value is known now.
    @inlinable
    public static func state(_ value: Value) -> Next { Next(.value(value)) }

    /// The value comes from asynchronous work.
    ///
    /// If it throws and no recovery is given, the state goes back to the one before the event and the step is `.failed`; if
    /// it throws `CancellationError`, the step is `.cancelled`. Either way the loop goes on.
    public static func run(_ work: @escaping Work) -> Next { Next(.work(work, loading: nil)) }

    /// The same with a state to show while the work runs. A value that is known now stays as it is.
    public func stateWhenLoading(_ loading: Value) -> Next {
        guard case .work(let work, _) = plan else { return self }
        return Next(.work(work, loading: loading))
    }

    /// The same, with an error of the work turned into a value. Cancellation is no error to recover from: it stays what it is.
    public func mapErrorRecover(_ recover: @escaping (any Error) -> Value) -> Next {
        guard case .work(let work, let loading) = plan else { return self }
        return Next(
            .work(
                {
                    do {
                        return try await work()
                    } catch let error as CancellationError {
                        throw error
                    } catch {
                        return recover(error)
                    }
                }, loading: loading))
    }
}
