public import LoopCore

/// A task whose payload, if any, is kept elsewhere in the state or is of no one type.
///
/// The same as Mini's, but for `any Sendable` in place of `Any`, so that actions with a task can come from other threads.
public typealias AnyTask = TypedTask<any Sendable>

/// How some work stands, as a part of a state: not begun, running, succeeded, failed.
///
/// ```swift
/// struct ShopState: Equatable {
///     var products: [Product] = []
///     var productsTask: AnyTask = .idle()
/// }
/// // In a reducer: ask the server only if what is there is old.
/// guard !state.productsTask.isRunning, !state.productsTask.isRecentlySucceeded else { return }
/// state.productsTask = .running()
/// // And when it came:
/// state.productsTask = .success(expiration: .short)
/// ```
/// It is a value and describes work; nothing runs in it. (Swift's own `Task` is what runs.)
///
/// **Equality.** By status and payload: ``status``, ``data``, ``error``, ``progress`` and ``tag``, not by when it was made nor by
/// ``metadata``. Data that cannot be compared counts as equal only in copies of one task; errors that are not `Equatable` are
/// compared by type and description. (Mini compares the times of making, so that two equal results are never equal.)
///
/// Mini's version 1 calls the makers `requestRunning`, `requestSuccess` and `requestFailure`, and ``isCompleted`` `isTerminal`.
public struct TypedTask<Payload>: MetadataCarrying {
    /// How the work stands.
    public enum Status: Sendable, Equatable {
        case idle
        case running
        case success
        /// Mini 3 calls it `error`.
        case failure
    }

    public let status: Status
    /// What came of it, or what there is so far.
    public let data: Payload?
    public let error: (any Error)?
    /// How far it is; by custom from 0 to 1, which nobody checks.
    public let progress: Double?
    /// A name for telling tasks apart, such as which of several requests this is.
    public let tag: String?
    /// How long a success counts as recent.
    public let expiration: TaskExpiration
    /// When it was made, in nanoseconds of ``clock``.
    public let startedAt: UInt64
    /// What ``isRecentlySucceeded`` asks for the time.
    public let clock: StepClock
    /// Free properties.
    public var metadata = Metadata()

    let stamp: Stamp?

    /// A task that stands as is said.
    ///
    /// - Parameters:
    ///   - status: how the work stands.
    ///   - data: what came of it, or what there is so far.
    ///   - error: why it failed.
    ///   - progress: how far it is; by custom from 0 to 1.
    ///   - tag: a name for telling tasks apart.
    ///   - expiration: how long a success counts as recent.
    ///   - clock: read now, and by ``isRecentlySucceeded``. Tests hand in one that stands still.
    public init(
        status: Status = .idle, data: Payload? = nil, error: (any Error)? = nil, progress: Double? = nil, tag: String? = nil,
        expiration: TaskExpiration = .immediately, clock: StepClock = .monotonic
    ) {
        self.status = status
        self.data = data
        self.error = error
        self.progress = progress
        self.tag = tag
        self.expiration = expiration
        self.clock = clock
        startedAt = clock.nanoseconds
        stamp = data.flatMap { Stamp.ifNeeded(for: $0) }
    }

    /// Not begun.
    public static func idle(tag: String? = nil) -> TypedTask { TypedTask(tag: tag) }

    /// Under way.
    public static func running(
        _ data: Payload? = nil, progress: Double? = nil, tag: String? = nil, clock: StepClock = .monotonic
    ) -> TypedTask {
        TypedTask(status: .running, data: data, progress: progress, tag: tag, clock: clock)
    }

    /// Done.
    public static func success(
        _ data: Payload? = nil, tag: String? = nil, expiration: TaskExpiration = .immediately, clock: StepClock = .monotonic
    ) -> TypedTask {
        TypedTask(status: .success, data: data, tag: tag, expiration: expiration, clock: clock)
    }

    /// Failed.
    public static func failure(_ error: any Error, tag: String? = nil, clock: StepClock = .monotonic) -> TypedTask {
        TypedTask(status: .failure, error: error, tag: tag, clock: clock)
    }
}

extension AnyTask {
    /// A completed task that says how some work ended; the payload itself is kept elsewhere.
    init<Success>(of result: Result<Success, any Error>, expiration: TaskExpiration = .immediately, clock: StepClock = .monotonic) {
        switch result {
        case .success: self.init(status: .success, expiration: expiration, clock: clock)
        case .failure(let error): self.init(status: .failure, error: error, clock: clock)
        }
    }
}

extension TypedTask {
    public var isIdle: Bool { status == .idle }
    public var isRunning: Bool { status == .running }
    public var isSuccessful: Bool { status == .success }
    public var isFailure: Bool { status == .failure }
    /// Succeeded or failed.
    public var isCompleted: Bool { isSuccessful || isFailure }

    /// Whether it succeeded and its ``expiration`` is not over yet, by its ``clock``.
    public var isRecentlySucceeded: Bool { isSuccessful && elapsed < expiration.duration }

    private var elapsed: Duration {
        let now = clock.nanoseconds
        return .nanoseconds(now > startedAt ? Int64(clamping: now - startedAt) : 0)
    }
}

extension TypedTask: Equatable {
    public static func == (a: TypedTask, b: TypedTask) -> Bool {
        guard a.status == b.status, a.progress == b.progress, a.tag == b.tag else { return false }
        switch (a.data, b.data) {
        case (nil, nil): break
        case (let dataA?, let dataB?): guard Stamp.areEqual(dataA, a.stamp, dataB, b.stamp) else { return false }
        default: return false
        }
        switch (a.error, b.error) {
        case (nil, nil): return true
        case (let errorA?, let errorB?): return Sameness.of(errorA, errorB)
        default: return false
        }
    }
}

extension TypedTask: Sendable where Payload: Sendable {}

extension TypedTask: CustomStringConvertible {
    /// `success data=3 tag=first`
    public var description: String {
        var words = ["\(status)"]
        if let data { words.append("data=\(data)") }
        if let error { words.append("error=\(error)") }
        if let progress { words.append("progress=\(progress)") }
        if let tag { words.append("tag=\(tag)") }
        return words.joined(separator: " ")
    }
}
