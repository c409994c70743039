import Basics
import TrackingEvents

/// A clock that stands still until a test moves it, for effects that wait.
///
/// ```swift
/// let clock = ManualClock()
/// let poll = Feedback<State, Event>.onChange(of: \.pollInterval) { interval in
///     .run {
///         try await clock.sleep(for: interval)       // in the app: any Clock<Duration>, handed in
///         return .poll
///     }
/// }
/// let system = System(initialState: State(), clock: StepClock(clock), feedbacks: [poll], reducer: reduce)
/// await clock.whenSleeping()
/// clock.advance(by: .seconds(30))
/// ```
/// Sleepers are woken in the order of their deadlines; equal deadlines are first in, first out. Work that sleeps again
/// needs one `advance` for each time.
///
/// Any thread may read and move it.
public final class ManualClock: Clock, Sendable {
    private struct Sleep {
        let id: Int
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watch {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Contents {
        var now: ContinuousClock.Instant
        /// By deadline, and by age among equals.
        var sleeps: [Sleep] = []
        var watches: [Watch] = []
        var lastID = 0
        /// Those whose task was cancelled before they got to sleep.
        var cancelled: Set<Int> = []

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        mutating func takeWatches() -> [Watch] {
            let met = watches.filter { $0.count <= sleeps.count }
            watches.removeAll { $0.count <= sleeps.count }
            return met
        }
    }

    private enum Fate { case asleep([Watch]), past, cancelled }

    private let contents = Lock(Contents(now: .now))

    /// A clock that has not been moved yet.
    public init() {}

    /// The time at which the clock was made, plus all advances. Reckon deadlines from this, not from `ContinuousClock`, which goes on.
    public var now: ContinuousClock.Instant { contents.withLock { $0.now } }

    public var minimumResolution: Duration { .zero }

    /// How many sleep now.
    public var sleeperCount: Int { contents.withLock { $0.sleeps.count } }

    /// Sleeps until a test has moved the clock there; a time that is past costs no sleep.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = contents.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                begin(Sleep(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func begin(_ sleep: Sleep) {
        let fate = contents.withLock { contents -> Fate in
            if contents.cancelled.remove(sleep.id) != nil { return .cancelled }
            if sleep.deadline <= contents.now { return .past }
            let place = contents.sleeps.firstIndex { sleep.deadline < $0.deadline } ?? contents.sleeps.endIndex
            contents.sleeps.insert(sleep, at: place)
            return .asleep(contents.takeWatches())
        }
        switch fate {
        case .asleep(let watches): for watch in watches { watch.continuation.resume() }
        case .past: sleep.continuation.resume()
        case .cancelled: sleep.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        let sleep = contents.withLock { contents -> Sleep? in
            guard let index = contents.sleeps.firstIndex(where: { $0.id == id }) else {
                contents.cancelled.insert(id)
                return nil
            }
            return contents.sleeps.remove(at: index)
        }
        sleep?.continuation.resume(throwing: CancellationError())
    }

    /// Moves the clock and wakes who is due by then. A clock never goes back: a negative duration is a programming error.
    ///
    /// It returns before the woken have gone on: ``TestSystem`` waits for what they bring.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "A clock never goes backwards; \(duration) is negative.")
        let due = contents.withLock { contents in
            contents.now = contents.now.advanced(by: duration)
            let count = contents.sleeps.prefix { $0.deadline <= contents.now }.count
            defer { contents.sleeps.removeFirst(count) }
            return Array(contents.sleeps.prefix(count))
        }
        for sleep in due { sleep.continuation.resume() }
    }

    /// Moves the clock to where the next is due.
    ///
    /// - Returns: how far that was; `nil` if nobody sleeps, and the clock stands where it stood.
    @discardableResult
    public func advanceToNext() -> Duration? {
        let next = contents.withLock { contents in contents.sleeps.first.map { contents.now.duration(to: $0.deadline) } }
        guard let duration = next else { return nil }
        advance(by: duration)
        return duration
    }

    /// Returns when at least so many sleep, or when the waiting task is cancelled.
    public func whenSleeping(_ count: Int = 1) async {
        let id = contents.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isMet = contents.withLock { contents in
                    if contents.sleeps.count >= count || contents.cancelled.remove(id) != nil { return true }
                    contents.watches.append(Watch(id: id, count: count, continuation: continuation))
                    return false
                }
                if isMet { continuation.resume() }
            }
        } onCancel: {
            let watch = contents.withLock { contents -> Watch? in
                guard let index = contents.watches.firstIndex(where: { $0.id == id }) else {
                    contents.cancelled.insert(id)
                    return nil
                }
                return contents.watches.remove(at: index)
            }
            watch?.continuation.resume()
        }
    }
}
