import Basics
public import EventFiles
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Hands finished segments to a transport that goes on while the app does not run: an app's background `URLSession`.
///
/// Ask for offers, and make an upload task from the request and the file of each. Keep the offer's id as the task's `taskDescription`: from
/// `session.allTasks` the next run of the app then knows what the transport still carries.
///
/// The session's delegate calls ``taken(_:)`` if the answer is 2xx and the URL of the task's `currentRequest` is still that of its
/// `originalRequest`: a background session follows redirects by itself, without the body. Otherwise it calls ``failed(_:)``: also for 412,
/// where the server has a file under the name, perhaps another one. Only a ``SegmentUploader`` settles that: let one run with the app.
///
/// ``offers()`` and ``taken(_:)`` hold the folder's lock while they work in it. While the writer is suspended, both throw: call them in the
/// writer's `awake(_:)`. The writer's `erase()` cannot cancel the transport's tasks: cancel them first.
public final class UploadHandover: Sendable {
    /// A segment for the transport.
    public struct Offer: Sendable {
        /// The segment's name.
        public let id: String
        /// The segment's file. It stays until ``UploadHandover/taken(_:)``, unless expiry, erasing or a ``SegmentUploader`` removes it.
        public let file: URL
        /// The request, without a body.
        public let request: URLRequest
    }

    private let writer: EventFileWriter
    private let destination: HTTPDestination
    private let carried: Lock<Set<String>>

    /// - Parameter carried: the ids of segments that an earlier run of the app handed over, and that the transport still carries.
    public init(_ writer: EventFileWriter, to destination: HTTPDestination, carrying carried: Set<String>) {
        (self.writer, self.destination, self.carried) = (writer, destination, Lock(carried))
    }

    /// The finished segments that the transport does not carry yet, smallest number first. From now on they count as carried.
    ///
    /// - Returns: nothing while consent is denied or everything is being erased.
    /// - Throws: ``UploadError/folder(_:)``, ``UploadError/busy(folder:)``, or the reason why a request cannot be made.
    public func offers() async throws -> [Offer] {
        var (segments, offers, isHandedOver): ([SealedSegment], [Offer], Bool) = ([], [], false)
        defer { if !isHandedOver { letGo(segments.map(\.name)) } }
        try withLock { folder, lock throws(FileSystemError) in
            if try folder.isBeingErased { return }
            let found = try folder.segmentsToSend()
            // No later segment has the name of one that is gone.
            carried.withLock { $0.formIntersection(found.map(\.name.sealed)) }
            for sealed in found where !sealed.isHeldBack && writer.mayUpload() {
                let name = sealed.name.sealed
                if carried.withLock({ $0.contains(name) }) { continue }
                guard let digest = try folder.sha256(ofFileNamed: name, sealed.status) else { continue }
                // From here on the segment may arrive. The journal says so: a forgetting must not rewrite such a segment.
                try lock.begin(name)
                carried.withLock { _ = $0.insert(name) }
                segments.append(SealedSegment(name, in: folder, bytes: sealed.status.bytes, digest))
            }
        }
        guard try mayGo() else { return [] }
        for segment in segments {
            let request = try await destination.request(for: segment)
            offers.append(Offer(id: segment.name, file: URL(fileURLWithPath: segment.path), request: request))
        }
        isHandedOver = try mayGo()
        // An erasure may have begun and ended meanwhile.
        return isHandedOver ? offers.filter { FileManager.default.fileExists(atPath: $0.file.path) } : []
    }

    /// Whether segments may leave. Asked again after each long wait, for a digest or a token.
    private func mayGo() throws(UploadError) -> Bool {
        if writer.isSuspended { throw .folder(.suspended) }
        return writer.mayUpload() && (try? EventFolder.isBeingErased(writer.folderPath, on: writer.fileSystem)) != true
    }

    /// The destination has the segment: moves it to `.sent/` and removes it there. An id without a segment in the folder does nothing.
    ///
    /// - Throws: ``UploadError/folder(_:)`` or ``UploadError/busy(folder:)``. The segment, which the destination has, is offered again.
    public func taken(_ id: String) throws(UploadError) {
        // Only once the file is moved: until then ``offers()`` on another thread must not offer it again.
        defer { letGo([id]) }
        guard let (name, state) = SegmentName.parse(id), state == .sealed else { return }
        try withLock { folder, lock throws(FileSystemError) in
            try folder.moveToSent(name)
            try lock.end(id)
            try folder.removeSent(name)
        }
    }

    /// The transport no longer carries the segment. It is offered again, although it may have arrived.
    public func failed(_ id: String) { letGo([id]) }

    private func letGo(_ ids: [String]) { carried.withLock { $0.subtract(ids) } }

    private func withLock(_ body: (EventFolder, UploadLock) throws(FileSystemError) -> Void) throws(UploadError) {
        do throws(EventFileError) {
            let isDone = try InterruptibleWork().run(beside: writer) { () throws(EventFileError) -> Bool in
                if writer.isSuspended { throw .suspended }
                let folder = try EventFolder.open(writer.folderPath, on: writer.fileSystem, making: false)
                return try storing { () throws(FileSystemError) -> Bool in
                    guard case .taken(let lock) = try UploadLock.take(in: folder, making: true) else { return false }
                    defer { lock.release() }
                    try body(folder, lock)
                    return true
                }
            }
            if isDone { return }
        } catch {
            throw .folder(error)
        }
        throw .busy(folder: writer.folderPath)
    }
}
