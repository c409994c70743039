#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A system call's `errno`.
struct SystemError: Error, Sendable, Hashable {
    let number: Int32

    /// Whether whoever read our output has gone.
    var isClosedPipe: Bool { number == EPIPE }
}

extension SystemError: CustomStringConvertible {
    var description: String { String(cString: strerror(number)) }
}
