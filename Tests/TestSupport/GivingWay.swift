import Foundation
package import Testing

/// Gives way until the condition holds.
///
/// - Returns: `false` if it does not come to hold.
package func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<10_000 {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

/// Lets whatever is ready to run go on.
package func giveWay() async { for _ in 0..<20 { await Task.yield() } }

/// Runs what blocks on a thread of its own: the tests' own threads are as few as processors.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: body()) } }
}

extension Trait where Self == TimeLimitTrait {
    /// For tests that wait for other threads, and would wait for ever if one slept on.
    ///
    /// All tests of a run begin at once, wait for their turn, and time counts from there: no limit that is shorter than a whole run on a slow
    /// machine says anything about a test.
    package static var notForever: Self { .timeLimit(.minutes(25)) }
}
