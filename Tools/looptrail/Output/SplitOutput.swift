import Basics
import Funnels

/// Where the lines of a split go: one file per part, or rows on standard output.
struct SplitOutput: ~Copyable {
    private static let bufferSize = 1 << 16

    private let folder: String?
    private var descriptors: [Int32] = []
    private var buffers: [[UInt8]]

    /// - Parameter folder: new or empty; `nil` for standard output.
    /// - Throws: ``OutputError``, ``UsageError`` for a folder that holds something.
    init(_ folder: String?, parts: Int, _ surroundings: Surroundings) throws {
        self.folder = folder
        buffers = Array(repeating: [], count: folder == nil ? 1 : parts)
        guard let folder else {
            descriptors = [surroundings.standardOutput]
            return
        }
        try OutputFolder.make(folder)
        guard OutputFolder.isEmpty(folder) else {
            throw UsageError("-o `\(folder)` is not empty: parts of two splits must not mix; give a new folder")
        }
        for part in 0..<parts {
            let path = Self.path(folder, part)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                let error = SystemError.current
                for open in descriptors { close(open) }
                throw OutputError.file(path: path, doing: "make", error)
            }
            descriptors.append(descriptor)
            if let mark = FunnelPart(part + 1, of: parts)?.mark { buffers[part] = Array("\(mark)\n".utf8) }
        }
    }

    deinit {
        if folder != nil { for descriptor in descriptors { close(descriptor) } }
    }

    private static func path(_ folder: String, _ part: Int) -> String {
        "\(folder)/part-\(String(repeating: "0", count: max(0, 4 - "\(part)".count)))\(part).ndjson"
    }

    mutating func take(part: Int, index: Int, line: ArraySlice<UInt8>) throws(OutputError) {
        let target = folder == nil ? 0 : part
        if folder == nil { buffers[target] += "\(part)\t\(index)\t".utf8 }
        buffers[target] += line
        buffers[target].append(UInt8(ascii: "\n"))
        if buffers[target].count >= Self.bufferSize { try empty(target) }
    }

    mutating func finish() throws(OutputError) { for target in buffers.indices { try empty(target) } }

    private mutating func empty(_ target: Int) throws(OutputError) {
        do {
            try DescriptorWriting.writeAll(buffers[target], to: descriptors[target])
        } catch {
            guard let folder else { throw error.isClosedPipe ? .readerGone : .standardOutput(error) }
            throw .file(path: Self.path(folder, target), doing: "write", error)
        }
        buffers[target].removeAll(keepingCapacity: true)
    }
}
