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
