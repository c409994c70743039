import Basics
import Funnels

/// The output of a split: one file per part, or rows on standard output.
///
/// A file is open only while lines are written to it, because there may be more parts than a process can have files open.
struct SplitOutput {
    /// How many bytes of a part wait for their writing. All parts together take some 100 MB at most.
    private let bufferSize: Int
    private let folder: String?
    private let standardOutput: Int32
    private var buffers: [[UInt8]]

    /// - Parameter folder: a new or empty folder; `nil` for standard output.
    /// - Throws: ``OutputError``, or ``UsageError`` for a folder that is not empty.
    init(_ folder: String?, parts: Int, _ surroundings: Surroundings) throws {
        self.folder = folder
        standardOutput = surroundings.standardOutput
        buffers = Array(repeating: [], count: folder == nil ? 1 : parts)
        bufferSize = min(1 << 16, (1 << 26) / parts)
        guard let folder else { return }
        try OutputFolder.make(folder)
        guard (try? OutputFolder.isEmpty(folder)) == true else {
            throw UsageError("-o `\(folder)` is not empty: parts of two splits must not mix; give a new folder")
        }
        for part in 0..<parts {
            close(try Self.descriptor(of: Self.path(folder, part), O_CREAT | O_EXCL, doing: "make"))
            if let mark = FunnelPart(part + 1, of: parts)?.mark { buffers[part] = Array("\(mark)\n".utf8) }
        }
    }

    private static func path(_ folder: String, _ part: Int) -> String {
        "\(folder)/part-\(String(repeating: "0", count: max(0, 4 - "\(part)".count)))\(part).ndjson"
    }

    private static func descriptor(of path: String, _ flags: Int32, doing: String) throws(OutputError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        if descriptor < 0 { throw .file(path: path, doing: doing, .current) }
        return descriptor
    }

    mutating func take(part: Int, index: Int, line: ArraySlice<UInt8>) throws(OutputError) {
        let target = folder == nil ? 0 : part
        if folder == nil { buffers[target] += "\(part)\t\(index)\t".utf8 }
        buffers[target] += line
        buffers[target].append(UInt8(ascii: "\n"))
        if buffers[target].count >= bufferSize { try empty(target) }
    }

    mutating func finish() throws(OutputError) { for target in buffers.indices { try empty(target) } }

    private mutating func empty(_ target: Int) throws(OutputError) {
        defer { buffers[target].removeAll(keepingCapacity: true) }
        guard let folder else {
            do { return try DescriptorWriting.writeAll(buffers[target], to: standardOutput) } catch {
                throw error.isClosedPipe ? .readerGone : .standardOutput(error)
            }
        }
        let path = Self.path(folder, target)
        let descriptor = try Self.descriptor(of: path, O_APPEND, doing: "open")
        defer { close(descriptor) }
        do { try DescriptorWriting.writeAll(buffers[target], to: descriptor) } catch { throw .file(path: path, doing: "write", error) }
    }
}
