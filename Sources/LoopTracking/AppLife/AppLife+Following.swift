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
    /// Suspends the tracker when the app goes to the background, and resumes it before the app comes back. On a Mac, which suspends no app,
    /// flushes it when another app comes to the front. Flushes it, too, when the app is about to end. Call this once, on a new tracker.
    ///
    /// In the background the system is asked for time until the locks are given back. Following ends with the tracker.
    @MainActor public func follow() {
        #if canImport(UIKit)
        on(UIApplication.didEnterBackgroundNotification) { tracker in
            let suspended = tracker.appLife.enterBackground()
            ProcessInfo.processInfo.performExpiringActivity(withReason: "events are brought to storage") { isExpired in
                if !isExpired { Self.wait(.seconds(20)) { await suspended.value } }
            }
        }
        on(UIApplication.willEnterForegroundNotification) { $0.appLife.enterForeground() }
        // The launch to the front of an app without scenes is announced by this alone.
        on(UIApplication.didBecomeActiveNotification) { $0.appLife.enterForeground() }
        on(UIApplication.willTerminateNotification) { tracker in Self.wait(.seconds(2)) { _ = try? await tracker.flush() } }
        #else
        on(NSApplication.didResignActiveNotification) { tracker in Task.detached { _ = try? await tracker.flush() } }
        on(NSApplication.willTerminateNotification) { tracker in Self.wait(.seconds(2)) { _ = try? await tracker.flush() } }
        #endif
    }

    private func on(_ name: Notification.Name, _ body: @escaping @Sendable (Tracker) -> Void) {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak tracker] _ in
            if let tracker { body(tracker) }
        }
    }

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
