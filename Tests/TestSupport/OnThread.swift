import Foundation

/// Runs blocking work on a thread of its own, because Swift's tasks share only as many threads as there are processors.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: body()) } }
}
