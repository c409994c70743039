import Basics

/// Reads the lines of one sealed segment on one thread, in the same batches as ``EventFileReader``.
final class SegmentLines {
    private let cursor: FileCursor
    private let path: String
    private let workspace = Workspace()
    private let stitcher = LineStitcher()
    private var isDone = false
    private(set) var members = 0

    init(_ segment: FileDescriptor, size: Int64, path: String, on fileSystem: any FileSystem) {
        cursor = FileCursor(segment: segment, size: size, on: fileSystem)
        self.path = path
    }

    /// Reads the next chunk, and passes its lines to `body` if it is undamaged. Returns whether it is; `nil` at the end.
    func next(_ body: (borrowing LineBatch) throws(FileSystemError) -> Void) throws(FileSystemError) -> Bool? {
        if isDone { return nil }
        var chunk = try cursor.next(into: workspace)
        if chunk.isCompressed { workspace.inflateMembers(of: &chunk) }
        let stitched = stitcher.stitch(&chunk, in: workspace)
        isDone = chunk.isLast
        members += chunk.members
        if chunk.damage.isEmpty { try stitched.withBatch(of: chunk, in: workspace, path: path, body) }
        return chunk.damage.isEmpty
    }
}
