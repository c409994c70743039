// The few signatures of AppKit that LoopTracking uses, as Apple's interface has them; nothing here runs.
public import Foundation

@MainActor @preconcurrency
open class NSApplication {
    nonisolated public static var didResignActiveNotification: Notification.Name { Notification.Name("resign") }
    nonisolated public static var willTerminateNotification: Notification.Name { Notification.Name("terminate") }
}
