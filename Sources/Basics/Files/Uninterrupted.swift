/// Makes a system call, and repeats it as long as a signal interrupts it. If the result is below zero, `errno` says why.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
