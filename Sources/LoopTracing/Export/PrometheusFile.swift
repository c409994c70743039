internal import Basics

/// A file that always holds one whole exposition, for node_exporter's textfile collector: it is written under another name and renamed.
///
/// The collector reads only `*.prom` and never sees the temporary file, `….tmp`. A write that fails leaves the file as it was
/// and nothing beside it. Nothing is synced: after a crash of the machine an old scrape is useless.
public struct PrometheusFile: Sendable {
    private let path: String

    /// - Parameter path: by convention it ends in `.prom`.
    public init(path: String) { self.path = path }

    /// Replaces what the file holds. Blocks for the time of the system calls. Several writers do not disturb each other; the last one wins.
    public func write(_ text: String) throws(PrometheusFileError) {
        var random = SystemRandomNumberGenerator()
        do {
            try WholeFile.replace(
                path, with: Array(text.utf8), temporary: "\(path).\(String(random.next(), radix: 16)).tmp", mode: 0o644, syncs: false)
        } catch {
            throw PrometheusFileError(path: path, doing: error.step.rawValue, errorNumber: error.error.number)
        }
    }
}

/// Why an exposition could not be written.
public struct PrometheusFileError: Error, Sendable, Hashable, CustomStringConvertible {
    let path: String
    let doing: String
    /// The system's `errno`.
    public let errorNumber: Int32

    public var description: String {
        "cannot \(doing) `\(path)`: \(String(cString: strerror(errorNumber))); the folder must be there and writable, and have room"
    }
}
