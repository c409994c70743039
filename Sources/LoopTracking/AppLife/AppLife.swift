import Basics
import TrackingEvents

/// A tracker in an app that the system suspends: ``Tracker/appLife``.
///
/// ```swift
/// let tracker = Tracker(to: try EventFileWriter(folder: folder))
/// tracker.appLife.follow()
/// ```
/// `follow()` is there on Apple systems with windows. Elsewhere, and where an app has a scene delegate of its own, that calls ``enterBackground()``
/// and ``enterForeground()``. An app that is launched in the background, and an extension, work in `EventFileWriter.awake(_:)`.
public struct AppLife: Sendable {
    let tracker: Tracker

    /// Suspends the tracker's sinks, after what was begun by earlier calls: they bring everything to storage and give back their locks.
    ///
    /// - Returns: ends when that is done. Errors are those that the sinks report themselves.
    @discardableResult
    public func enterBackground() -> Task<Void, Never> { then { try? await $0.suspend() } }

    /// Resumes the tracker's sinks, after what was begun by earlier calls.
    @discardableResult
    public func enterForeground() -> Task<Void, Never> { then { $0.resume() } }

    /// Notifications come faster than a suspension ends, and the last one counts.
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
    public func suspend() async throws {
        var first: (any Error)?
        for sink in sinks {
            do { try await sink.suspend() } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    /// Resumes every sink.
    public func resume() { for sink in sinks { sink.resume() } }
}

// A watch has UIKit without `UIApplication`.
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
import Dispatch
import Foundation

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension AppLife {
    /// Suspends the tracker when the app goes to the background and resumes it before it comes back; on a Mac, which suspends no app, flushes it when
    /// another app comes to the front. Flushes it when the app is about to end. Call it once, when the tracker is made.
    ///
    /// In the background the system is asked for time until the locks are given back. It lasts as long as the tracker, which it does not keep
    /// alive.
    @MainActor public func follow() {
        #if canImport(UIKit)
        on(UIApplication.didEnterBackgroundNotification) { tracker in
            let suspended = tracker.appLife.enterBackground()
            ProcessInfo.processInfo.performExpiringActivity(withReason: "events are brought to storage") { isExpired in
                if !isExpired { Self.wait(.seconds(20)) { await suspended.value } }
            }
        }
        on(UIApplication.willEnterForegroundNotification) { $0.appLife.enterForeground() }
        on(UIApplication.willTerminateNotification) { tracker in Self.wait(.seconds(2)) { _ = try? await tracker.flush() } }
        #else
        on(NSApplication.didResignActiveNotification) { tracker in
            Task.detached { _ = try? await tracker.flush() }
        }
        on(NSApplication.willTerminateNotification) { tracker in Self.wait(.seconds(2)) { _ = try? await tracker.flush() } }
        #endif
    }

    private func on(_ name: Notification.Name, _ body: @escaping @Sendable (Tracker) -> Void) {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak tracker] _ in
            if let tracker { body(tracker) }
        }
    }

    /// Blocks until the work has ended, or for as long as the system may let it.
    private static func wait(_ limit: DispatchTimeInterval, for work: @escaping @Sendable () async -> Void) {
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            ended.signal()
        }
        _ = ended.wait(timeout: .now() + limit)
    }
}
#endif
