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
    public func write(_ text: String) throws(TraceOutputError) {
        var random = SystemRandomNumberGenerator()
        do {
            try WholeFile.replace(
                path, with: Array(text.utf8), temporary: "\(path).\(String(random.next(), radix: 16)).tmp", mode: 0o644, syncs: false)
        } catch {
            throw TraceOutputError(.replace(error.step.rawValue), path: path, errno: error.error.number)
        }
    }
}
