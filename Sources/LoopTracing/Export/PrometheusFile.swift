#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that always holds one whole exposition, as node_exporter's textfile collector wants it: each is written beside it and renamed.
///
/// ```swift
/// let file = PrometheusFile("/var/lib/node_exporter/shop.prom")
/// try file.write(PrometheusText().text(of: traces))
/// ```
/// The collector reads `*.prom` only; what is being written is named `….tmp` and never seen. A write that fails leaves the file as it was
/// and nothing beside it. Nothing is synced: after a crash of the machine a scrape is of no use.
public struct PrometheusFile: Sendable {
    /// Where it lies, by custom ending in `.prom`.
    public let path: String

    public init(_ path: String) { self.path = path }

    /// Replaces what the file holds.
    ///
    /// Blocks for the time of the system calls; several writers do not disturb each other, and the last one stays.
    ///
    /// - Throws: ``PrometheusFileError``, with what the system said.
    public func write(_ text: String) throws(PrometheusFileError) {
        var random = SystemRandomNumberGenerator()
        let temporary = "\(path).\(String(random.next(), radix: 16)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure("make a file beside") }
        var text = text
        let error = text.withUTF8 { Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
        if error != 0 || close(descriptor) != 0 {
            let number = error != 0 ? error : errno
            if error != 0 { close(descriptor) }
            unlink(temporary)
            throw PrometheusFileError(path: path, doing: "write", errorNumber: number)
        }
        guard rename(temporary, path) == 0 else {
            let failure = failure("replace")
            unlink(temporary)
            throw failure
        }
    }

    private func failure(_ doing: String) -> PrometheusFileError { PrometheusFileError(path: path, doing: doing, errorNumber: errno) }

    /// The error's number, 0 if there was none.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let written = systemWrite(descriptor, rest.baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return written < 0 ? errno : EIO }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        return 0
    }
}

/// The system's function: the type above has one of the same name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }

/// Why an exposition is not in its file.
public struct PrometheusFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public let path: String
    let doing: String
    /// The system's `errno`.
    public let errorNumber: Int32

    public var description: String {
        "cannot \(doing) `\(path)`: \(String(cString: strerror(errorNumber))); the folder must be there and writable, and have room"
    }
}
