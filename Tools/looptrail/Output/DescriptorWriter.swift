#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes whole texts to a file descriptor.
enum DescriptorWriter {
    /// Writes every byte, however many calls it takes.
    ///
    /// - Throws: the `errno` of the call that failed.
    static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
        var text = text
        let failed = text.withUTF8 { bytes -> Int32? in
            var done = 0
            while done < bytes.count {
                let written = systemWrite(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if written >= 0 {
                    done += written
                } else if errno == EAGAIN {
                    // Somebody shares the descriptor and made it non-blocking.
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
        if let failed { throw SystemError(number: failed) }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        #if canImport(Darwin)
        Darwin.write(descriptor, bytes, count)
        #elseif canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes, count)
        #endif
    }
}
