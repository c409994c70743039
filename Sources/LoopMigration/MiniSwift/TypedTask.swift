import Basics
public import LoopCore
import LoopFlux

/// The status of some work, as a part of a state: not begun, running, succeeded, failed.
///
/// ```swift
/// struct ShopState: Equatable {
///     var products: [Product] = []
///     var loading: TypedTask<Void> = .idle()
///
///     /// Loads again only what is old.
///     mutating func beginLoading() {
///         guard !loading.isRunning, !loading.isRecentlySucceeded else { return }
///         loading = .running()
///     }
///
///     mutating func finishLoading(_ loaded: [Product]) {
///         products = loaded
///         loading = .success(expiration: .short)
///     }
/// }
/// ```
/// It describes work; Swift's own `Task` runs it. Unlike a `Promise` it knows progress, data so far, a tag, and how long it is recent.
///
/// **Equality.** By ``status``, ``data``, ``error``, ``progress`` and ``tag``, not by when it was made nor by free properties. Data that
/// cannot be compared is equal only in copies of one task. Errors that are not `Equatable` are compared by type and description.
public struct TypedTask<Payload> {
    public enum Status: Sendable, Equatable { case idle, running, success, failure }

    public let status: Status
    /// The result, or what there is of it so far.
    public let data: Payload?
    /// Not `nil` if the work failed.
    public let error: (any Error)?
    /// How far the work is; by convention from 0 to 1, which is not checked.
    public let progress: Double?
    /// A name that distinguishes tasks, such as those of several requests.
    public let tag: String?

    /// How long a success counts as recent.
    let expiration: TaskExpiration
    /// When it was made, in nanoseconds of the clock; 0 if the expiration is over at once.
    let startedAt: UInt64
    let clock: StepClock
    let stamp: Stamp?
    /// The free properties, each under its ``MetadataKey``.
    var properties: [ObjectIdentifier: any Sendable] = [:]

    /// Not begun.
    public static func idle(tag: String? = nil) -> TypedTask { TypedTask(.idle, tag: tag) }

    /// Under way, with what there is of the result so far.
    public static func running(_ data: Payload? = nil, progress: Double? = nil, tag: String? = nil) -> TypedTask {
        TypedTask(.running, data: data, progress: progress, tag: tag)
    }

    /// Succeeded.
    ///
    /// - Parameters:
    ///   - data: the result, unless it is kept elsewhere.
    ///   - expiration: how long the success counts as recent.
    ///   - clock: read now, and by ``isRecentlySucceeded``. Tests hand in one that stands still.
    public static func success(
        _ data: Payload? = nil, tag: String? = nil, expiration: TaskExpiration = .immediately, clock: StepClock = .monotonic
    ) -> TypedTask { TypedTask(.success, data: data, tag: tag, expiration: expiration, clock: clock) }

    /// Failed.
    public static func failure(_ error: any Error, tag: String? = nil) -> TypedTask { TypedTask(.failure, error: error, tag: tag) }
}

extension TypedTask: Equatable, CustomStringConvertible {
    private init(
        _ status: Status, data: Payload? = nil, error: (any Error)? = nil, progress: Double? = nil, tag: String? = nil,
        expiration: TaskExpiration = .immediately, clock: StepClock = .monotonic
    ) {
        self.init(
            status: status, data: data, error: error, progress: progress, tag: tag, expiration: expiration,
            startedAt: expiration.duration > .zero ? clock.nanoseconds : 0, clock: clock, stamp: data.flatMap { Stamp.ifNeeded(for: $0) })
    }

    public var isIdle: Bool { status == .idle }
    public var isRunning: Bool { status == .running }
    public var isSuccessful: Bool { status == .success }
    public var isFailure: Bool { status == .failure }
    /// Succeeded or failed.
    public var isCompleted: Bool { isSuccessful || isFailure }

    /// Its data or its error; `nil` until it is completed.
    public var result: Result<Payload?, any Error>? { isCompleted ? error.map { .failure($0) } ?? .success(data) : nil }

    /// Whether it succeeded and its expiration is not over yet.
    public var isRecentlySucceeded: Bool {
        isSuccessful && Duration.nanoseconds(Int64(clamping: clock.nanoseconds.subtractingClamped(startedAt))) < expiration.duration
    }

    public static func == (a: TypedTask, b: TypedTask) -> Bool {
        a.status == b.status && a.progress == b.progress && a.tag == b.tag
            && areSame(a.data, b.data) { Stamp.areEqual($0, a.stamp, $1, b.stamp) } && areSame(a.error, b.error, Sameness.ofErrors)
    }

    private static func areSame<Value>(_ a: Value?, _ b: Value?, _ areEqual: (Value, Value) -> Bool) -> Bool {
        if let a, let b { areEqual(a, b) } else { a == nil && b == nil }
    }

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

extension TypedTask: Sendable where Payload: Sendable {}
