import Basics
import TrackingEvents

/// Packs a segment of small members, as timed flushes leave them, into full ones, and publishes the result.
struct SegmentRepack {
    let folder: EventFolder
    let level: Int32

    /// Builds the packed file beside the old one and gives it the published name; `false`, and nothing is published, if the old file
    /// cannot be read to its end, or the temporary name is taken.
    func publish(_ segment: SegmentWriter.Active) throws(FileSystemError) -> Bool {
        let name = segment.name
        guard let file = try folder.createLocked(name.temporary) else { return false }
        return try folder.making(name.temporary, file) { () throws(FileSystemError) in
            guard try pack(segment, into: file) else { return false }
            try folder.synchronize(file, named: name.temporary)
            try folder.publish(name.temporary, as: name)
            return true
        }
    }

    private func pack(_ segment: SegmentWriter.Active, into file: FileDescriptor) throws(FileSystemError) -> Bool {
        let scan = SegmentScan(segment.file, size: segment.offset, on: folder.fileSystem)
        var packer = MemberPacker(file: file, level: level, fileSystem: folder.fileSystem)
        while let piece = try scan.next() {
            switch piece {
            case .member: try packer.append(lines: scan.contents)
            case .end: break
            case .cut, .damaged: return false
            }
        }
        try packer.finish()
        return true
    }
}
