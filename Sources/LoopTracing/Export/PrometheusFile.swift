#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
internal import Basics

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
        do {
            try WholeFile.replace(path, with: Array(text.utf8), temporary: "\(path).\(String(random.next(), radix: 16)).tmp", mode: 0o644, syncs: false)
        } catch {
            throw PrometheusFileError(path: path, doing: error.step.rawValue, errorNumber: error.error.number)
        }
    }
}

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
