// A watch has UIKit without `UIApplication`.
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
import Dispatch
import Foundation

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension Tracker {
    /// Flushes the tracker when the app goes to the background (on a Mac: when another app comes to the front) and when it is about to end.
    /// Call it once, when the tracker is made:
    ///
    /// ```swift
    /// let tracker = Tracker(to: try EventFileWriter(folder: folder))
    /// tracker.followAppLifecycle()
    /// ```
    /// In the background the system is asked for time until the flush has ended. It lasts as long as the tracker, which it does not keep alive.
    /// Errors of the flush are those that the sinks report themselves.
    @MainActor public func followAppLifecycle() {
        #if canImport(UIKit)
        follow(UIApplication.didEnterBackgroundNotification) { tracker in
            ProcessInfo.processInfo.performExpiringActivity(withReason: "events are brought to storage") { isExpired in
                if !isExpired { tracker.flushAndWait(.seconds(20)) }
            }
        }
        follow(UIApplication.willTerminateNotification) { $0.flushAndWait(.seconds(2)) }
        #else
        follow(NSApplication.didResignActiveNotification) { tracker in
            Task.detached { _ = try? await tracker.flush() }
        }
        follow(NSApplication.willTerminateNotification) { $0.flushAndWait(.seconds(2)) }
        #endif
    }

    private func follow(_ name: Notification.Name, _ flush: @escaping @Sendable (Tracker) -> Void) {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            if let self { flush(self) }
        }
    }

    /// Blocks until the flush has ended, or for as long as the system may let it.
    private func flushAndWait(_ limit: DispatchTimeInterval) {
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            _ = try? await self.flush()
            ended.signal()
        }
        _ = ended.wait(timeout: .now() + limit)
    }
}
#endif
