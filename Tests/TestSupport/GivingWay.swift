/// Yields to other tasks until the condition holds, 10,000 times at most.
///
/// - Returns: whether the condition holds at the end.
package func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<10_000 {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

/// Yields to other tasks twenty times, so that those that are ready can run.
package func giveWay() async { for _ in 0..<20 { await Task.yield() } }
