/// Finds the rings of writers that were killed, which no recovery has taken over yet.
///
/// Whoever takes segments away, as expiry and an upload do, leaves those of such a writer alone: a recovery that was killed finds by
/// them whether the ring's lines are in a segment already.
package enum OrphanRings {
    /// The writers in a folder whose ring waits for a recovery, as in ``SegmentName/writerName``. A ring that is locked is a living
    /// writer's, whose segments are complete.
    package static func writers(
        in folder: FileDescriptor, path: String, on fileSystem: any FileSystem
    ) throws(FileSystemError) -> Set<String> {
        let folder = EventFolder(fileSystem: fileSystem, descriptor: folder, path: path)
        return try writers(in: folder, names: folder.names())
    }

    static func writers(in folder: EventFolder, names: [String]) throws(FileSystemError) -> Set<String> {
        var writers: Set<String> = []
        for fileName in names where fileName.isHiddenName {
            guard let (name, state) = SegmentName.parse(fileName), state == .ring else { continue }
            guard let (file, _) = try folder.takeOver(fileName) else { continue }
            folder.fileSystem.close(file)
            writers.insert(name.writerName)
        }
        return writers
    }
}
