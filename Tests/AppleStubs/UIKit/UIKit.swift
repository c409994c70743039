// The few signatures of UIKit that LoopMigration, LoopTracking and the examples use, as Apple's interface has them; nothing here runs.
@_exported public import Foundation

extension ProcessInfo {
    /// Apple's Foundation declares it, and Foundation on Linux does not.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

@MainActor @preconcurrency
open class UIApplication {
    nonisolated public static var didEnterBackgroundNotification: Notification.Name { Notification.Name("background") }
    nonisolated public static var willEnterForegroundNotification: Notification.Name { Notification.Name("foreground") }
    nonisolated public static var didBecomeActiveNotification: Notification.Name { Notification.Name("active") }
    nonisolated public static var willTerminateNotification: Notification.Name { Notification.Name("terminate") }
}

@MainActor @preconcurrency
open class UIResponder {
    public init() {}
}

@MainActor @preconcurrency
open class UIView: UIResponder {}

@MainActor @preconcurrency
open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public override convenience init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { super.init() }
    open func viewDidLoad() {}
}

@MainActor @preconcurrency
open class UILabel: UIView {
    public var text: String?
}

@MainActor @preconcurrency
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var touchUpInside: Event { Event(rawValue: 1 << 6) }
        public static var valueChanged: Event { Event(rawValue: 1 << 12) }
        public static var primaryActionTriggered: Event { Event(rawValue: 1 << 13) }
        public static var editingChanged: Event { Event(rawValue: 1 << 17) }
    }

    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {}
    open func removeAction(_ action: UIAction, for controlEvents: UIControl.Event) {}
}

@MainActor @preconcurrency
open class UIButton: UIControl {}

@MainActor @preconcurrency
open class UITextField: UIControl {
    public var text: String?
}

public typealias UIActionHandler = @MainActor (_ action: UIAction) -> Void

@MainActor @preconcurrency
open class UIAction {
    public convenience init(title: String = "", handler: @escaping UIActionHandler) { self.init() }
    public var sender: Any? { nil }
}
