import EventFiles
import Foundation

/// A folder of event files with sample events. It is removed when this object goes.
final class SampleFolder {
    let path: String
    /// The paths of its files, in the order of their names.
    let files: [String]

    init(events: Int) throws {
        path = NSTemporaryDirectory() + "looptrail-benchmark-\(ProcessInfo.processInfo.processIdentifier)-\(UUID())"
        let writer = try EventFileWriter(folder: path, options: .lossless)
        for event in FileBenchmarks.sample(events) { writer.record(event) }
        try writer.closeAndWait(deadline: .seconds(600))
        files = try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { [path] in path + "/" + $0 }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
