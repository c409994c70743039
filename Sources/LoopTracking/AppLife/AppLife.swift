import Basics
import TrackingEvents

/// A tracker in an app that the system suspends: ``Tracker/appLife``.
///
/// On Apple systems with windows, `tracker.appLife.follow()` is all that the tracker needs. Elsewhere, or from a scene delegate of its own,
/// the app calls ``enterBackground()`` and ``enterForeground()``. An extension, and an app that may be launched in the background, make
/// their writer with `startsSuspended: true` and work within `EventFileWriter.awake(_:)`. A `LogFileWriter`, and a `Recorder` that is no
/// sink of the tracker, have locks of their own: the app suspends and resumes them itself.
public struct AppLife: Sendable {
    let tracker: Tracker

    /// Suspends the tracker's sinks once earlier calls have ended: the sinks bring everything to storage and give back their locks.
    ///
    /// - Returns: a task that ends when that is done. It passes on no errors: the sinks report theirs themselves.
    @discardableResult
    public func enterBackground() -> Task<Void, Never> { then { try? await $0.suspend() } }

    /// Resumes the tracker's sinks once earlier calls have ended.
    @discardableResult
    public func enterForeground() -> Task<Void, Never> { then { $0.resume() } }

    /// Makes changes one after the other: notifications come faster than a suspension ends, and the last one counts.
    private func then(_ change: @escaping @Sendable (Tracker) async -> Void) -> Task<Void, Never> {
        tracker.lifeChange.withLock { last in
            let task = Task.detached { [last, tracker] in
                await last?.value
                await change(tracker)
            }
            last = task
            return task
        }
    }
}

extension Tracker {
    /// What the tracker does when the app goes to the background and comes back.
    public var appLife: AppLife { AppLife(tracker: self) }

    /// Suspends every sink, even if another fails: what is tracked meanwhile waits in memory, as `EventFileWriter.suspend()` describes it.
    ///
    /// - Throws: the first sink's error.
    public func suspend() async throws { _ = try await forEachSink { try await $0.suspend() } }

    /// Resumes every sink.
    public func resume() { for sink in sinks { sink.resume() } }
}
