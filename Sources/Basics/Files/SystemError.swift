package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    package static var current: SystemError { SystemError(number: errno) }

    /// Whether nobody reads the output any more (`EPIPE`).
    package var isClosedPipe: Bool { number == EPIPE }

    package var description: String { String(cString: strerror(number)) }
}
