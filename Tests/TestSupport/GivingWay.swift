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

/// Lets other threads go on, for loops that look again whether something has happened that nobody announces, such as a file in a folder: one that
/// only yields takes a processor. What a closure or a thread of the test brings about is waited for with ``Announced``.
package func aMoment() async { try? await Task.sleep(for: .milliseconds(1)) }
