/// An action that tells how some work ended: with a payload, or with an error.
///
/// Actions conform to one of its refinements, according to how they carry the outcome:
///
/// | carries | a payload | nothing | by key | nothing, by key |
/// |---|---|---|---|---|
/// | a ``Promise`` | ``CompletableAction`` | ``EmptyAction`` | ``KeyedCompletableAction`` | ``KeyedEmptyAction`` |
/// | a ``TypedTask`` | ``CompletableTaskAction`` | ``EmptyTaskAction`` | ``KeyedCompletableTaskAction`` | ``KeyedEmptyTaskAction`` |
///
/// The first row is MiniPromises, the second MiniTasks, whose names are the same but for `Task`. All are dispatched alike:
/// ```swift
/// dispatcher.dispatch(ProductsLoaded.self, fillOnError: []) { try await api.products() }
/// ```
public protocol PayloadAction<Payload>: Action {
    /// What the work brings if all goes well.
    associatedtype Payload

    /// The action for an outcome.
    init(result: Result<Payload, any Error>)
}

/// A ``PayloadAction`` for one of several works of a kind, told apart by a key.
public protocol KeyedPayloadAction<Key, Payload>: Action {
    associatedtype Key: Hashable
    associatedtype Payload

    /// The action for an outcome of the key's work.
    init(result: Result<Payload, any Error>, key: Key)
}

extension PayloadAction {
    /// Runs the work and makes the action of its outcome, without dispatching it.
    ///
    /// - Parameters:
    ///   - payload: what to tell in place of an error; with `nil` the error is told.
    ///   - work: runs on the caller's isolation.
    public static func action(
        fillOnError payload: Payload? = nil, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Payload
    ) async -> Self {
        Self(result: await Outcome.of(work, fillOnError: payload, isolation: isolation))
    }
}

extension KeyedPayloadAction {
    /// Runs the work and makes the action of its outcome under the key, without dispatching it.
    ///
    /// - Parameters:
    ///   - key: which of the works this is.
    ///   - payload: what to tell in place of an error; with `nil` the error is told.
    ///   - work: runs on the caller's isolation.
    public static func action(
        key: Key, fillOnError payload: Payload? = nil, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Payload
    ) async -> Self {
        Self(result: await Outcome.of(work, fillOnError: payload, isolation: isolation), key: key)
    }
}

enum Outcome {
    /// How the work ends, with a payload in place of the error where there is one.
    static func of<Payload>(
        _ work: () async throws -> Payload, fillOnError payload: Payload?, isolation: isolated (any Actor)?
    ) async -> Result<Payload, any Error> {
        do { return .success(try await work()) } catch { return payload.map { .success($0) } ?? .failure(error) }
    }
}
