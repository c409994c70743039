/// Makes a call of the system, and again for as long as a signal interrupts it. Below zero, `errno` says why.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
