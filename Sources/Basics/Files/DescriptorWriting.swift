package enum DescriptorWriting {
    /// What happens when a non-blocking descriptor has no room.
    package enum WhenFull: Sendable {
        case wait
        /// Fail with `EAGAIN` if none of the bytes has been written yet; otherwise wait.
        case failUnlessBegun
    }

    /// Writes every byte, in as many calls as it takes. A call that a signal interrupts is repeated; one that writes nothing is `ENOSPC`.
    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, whenFull: WhenFull = .wait) throws(SystemError) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let written = write(descriptor, start, rest.count)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } else if written == 0 {
                throw SystemError(number: ENOSPC)
            } else if errno == EAGAIN, whenFull == .wait || rest.count < bytes.count {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&writable, 1, -1)
            } else if errno != EINTR {
                throw SystemError(number: errno)
            }
        }
    }

    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32, whenFull: WhenFull = .wait) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
            try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, whenFull: whenFull)
        }
    }

    package static func writeAll(_ text: String, to descriptor: Int32, whenFull: WhenFull = .wait) throws(SystemError) {
        try writeAll(Array(text.utf8), to: descriptor, whenFull: whenFull)
    }
}
