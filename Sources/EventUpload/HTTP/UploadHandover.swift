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
/// The session's delegate calls ``taken(_:)`` if the answer is 2xx, and otherwise ``failed(_:)``: also for 412, which says that the server
/// has a file under the name. A ``SegmentUploader`` asks for that file's length; it may work on the same folder when the app runs.
///
/// ``offers()`` and ``taken(_:)`` hold the folder's lock while they work in it. While the writer is suspended, both throw: call them in
/// `awake(_:)`. `erase()` cannot cancel the tasks of a session: cancel them first.
public final class UploadHandover: Sendable {
    /// A segment for the transport.
    public struct Offer: Sendable {
        /// The segment's name.
        public let id: String
        /// The segment's file. It stays until ``UploadHandover/taken(_:)``, unless expiry, erasing or a ``SegmentUploader`` removes it:
        /// then the transport may fail.
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
        var (segments, offers): ([SealedSegment], [Offer]) = ([], [])
        do {
            try withLock { folder, lock throws(FileSystemError) in
                if try folder.isBeingErased || !writer.mayUpload() { return }
                for sealed in try folder.segmentsToSend() where !sealed.isHeldBack {
                    let name = sealed.name.sealed
                    if carried.withLock({ $0.contains(name) }) { continue }
                    guard let digest = try folder.sha256(ofFileNamed: name, sealed.status) else { continue }
                    // From here on the segment may arrive. The journal says so: a forgetting must not rewrite such a segment.
                    try lock.begin(name)
                    carried.withLock { _ = $0.insert(name) }
                    segments.append(SealedSegment(name, in: folder, bytes: sealed.status.bytes, digest))
                }
            }
            for segment in segments {
                let request = try await destination.request(for: segment)
                offers.append(Offer(id: segment.name, file: URL(fileURLWithPath: segment.path), request: request))
            }
            return offers
        } catch {
            // Nobody gets these offers.
            for segment in segments { failed(segment.name) }
            throw error
        }
    }

    /// The destination has the segment: moves it to `.sent/` and removes it there.
    ///
    /// - Throws: ``UploadError/folder(_:)`` or ``UploadError/busy(folder:)``. The segment, which the destination has, is offered again.
    public func taken(_ id: String) throws(UploadError) {
        failed(id)
        guard let (name, state) = SegmentName.parse(id), state == .sealed else { return }
        try withLock { folder, lock throws(FileSystemError) in
            try folder.moveToSent(name)
            try lock.end(id)
            try folder.removeSent(name)
        }
    }

    /// The transport no longer carries the segment. It is offered again, although it may have arrived.
    public func failed(_ id: String) { _ = carried.withLock { $0.remove(id) } }

    private func withLock<Result>(_ body: (EventFolder, UploadLock) throws(FileSystemError) -> Result) throws(UploadError) -> Result {
        do throws(EventFileError) {
            if writer.isSuspended { throw .suspended }
            let folder = try EventFolder.open(writer.folderPath, on: writer.fileSystem, making: false)
            let result = try storing { () throws(FileSystemError) -> Result? in
                guard case .taken(let lock) = try UploadLock.take(in: folder, making: true) else { return nil }
                defer { lock.release() }
                return try body(folder, lock)
            }
            if let result { return result }
        } catch {
            throw .folder(error)
        }
        throw .busy(folder: writer.folderPath)
    }
}
