#if canImport(UIKit) && !os(watchOS)
import Dispatch
import Foundation
import UIKit

extension Tracker {
    /// Flushes the tracker when the app goes to the background and when it is about to end. Call it once, when the tracker is made:
    ///
    /// ```swift
    /// let tracker = Tracker(to: try EventFileWriter(folder: folder))
    /// tracker.followAppLifecycle()
    /// ```
    /// In the background the system is asked for time until the flush has ended. It lasts as long as the tracker, which it does not keep alive.
    /// Errors of the flush are those that the sinks report themselves.
    @MainActor public func followAppLifecycle() {
        let center = NotificationCenter.default
        _ = center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) { [weak self] _ in
            guard let self else { return }
            ProcessInfo.processInfo.performExpiringActivity(withReason: "events are brought to storage") { isExpired in
                if !isExpired { self.flushAndWait(.seconds(20)) }
            }
        }
        _ = center.addObserver(forName: UIApplication.willTerminateNotification, object: nil, queue: nil) { [weak self] _ in
            self?.flushAndWait(.seconds(2))
        }
    }
}
#elseif canImport(AppKit)
import AppKit
import Dispatch
import Foundation

extension Tracker {
    /// Flushes the tracker when another app comes to the front and when this one is about to end. Call it once, when the tracker is made.
    ///
    /// It lasts as long as the tracker, which it does not keep alive. Errors of the flush are those that the sinks report themselves.
    @MainActor public func followAppLifecycle() {
        let center = NotificationCenter.default
        _ = center.addObserver(forName: NSApplication.didResignActiveNotification, object: nil, queue: nil) { [weak self] _ in
            guard let self else { return }
            Task.detached { _ = try? await self.flush() }
        }
        _ = center.addObserver(forName: NSApplication.willTerminateNotification, object: nil, queue: nil) { [weak self] _ in
            self?.flushAndWait(.seconds(2))
        }
    }
}
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
extension Tracker {
    /// Blocks until the flush has ended, or for as long as the system may let it.
    fileprivate func flushAndWait(_ limit: DispatchTimeInterval) {
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            _ = try? await self.flush()
            ended.signal()
        }
        _ = ended.wait(timeout: .now() + limit)
    }
}
#endif
