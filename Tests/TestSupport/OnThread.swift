import Foundation

/// Runs what blocks on a thread of its own: the tests' own threads are as few as processors.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: body()) } }
}
