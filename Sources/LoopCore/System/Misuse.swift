import Basics

/// Mistakes in the use of the library that no compiler sees and no step shows. Debug builds print them to standard error.
package enum Misuse {
    /// Where the messages go; tests put another function here.
    @TaskLocal package static var report: @Sendable (String) -> Void = { try? DescriptorWriting.writeAll($0 + "\n", to: 2) }

    /// Reports a system with feedbacks that is released before they began.
    static func neverStarted<System>(_ type: System.Type) {
        #if DEBUG
        report(
            "looptrail: a \(type) with feedbacks was released before they began. "
                + "End the chain that makes it with start(): System(…).bind { … }.attach(…).start()")
        #endif
    }
}
