import Basics
public import EventFiles
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Hands finished segments to a transport that goes on while the app does not run: an app's background `URLSession`.
///
/// Ask for offers, make an upload task of each by its request and its file, and keep the offer's id as the task's `taskDescription`: by
/// that the next run of the app knows what is still carried (`session.allTasks`).
///
/// The session's delegate calls ``taken(_:)`` where the answer is 2xx, and else ``failed(_:)``: also for 412, which says that the server
/// has something under the name. A ``SegmentUploader`` asks what that is; it may work on the same folder when the app runs.
///
/// ``offers()`` and ``taken(_:)`` hold the folder's lock while they are at work in it. While the writer is suspended, both throw: call them
/// in `awake(_:)`. `erase()` cannot call back what a session carries: cancel its tasks first.
public final class UploadHandover: Sendable {
    /// A segment for the transport.
    public struct Offer: Sendable {
        /// The segment's name.
        public let id: String
        /// Stays where it is until ``UploadHandover/taken(_:)``, unless expiry, erasing or a ``SegmentUploader`` takes it away: the transport
        /// may fail then.
        public let file: URL
        /// Without a body.
        public let request: URLRequest
    }

    private let writer: EventFileWriter
    private let destination: HTTPDestination
    private let carried: Lock<Set<String>>

    /// - Parameter carried: the ids of what an earlier run of the app handed over and the transport has still to do.
    public init(_ writer: EventFileWriter, to destination: HTTPDestination, carrying carried: Set<String>) {
        (self.writer, self.destination, self.carried) = (writer, destination, Lock(carried))
    }

    /// The finished segments that the transport does not carry, smallest number first. It carries them from now on.
    ///
    /// - Returns: nothing while consent is denied or everything is being erased.
    /// - Throws: ``UploadError/folder(_:)``, ``UploadError/busy(folder:)``, and why a request cannot be made.
    public func offers() async throws -> [Offer] {
        let segments = try withLock { folder, lock throws(FileSystemError) -> [SealedSegment] in
            if try folder.isBeingErased || !writer.mayUpload() { return [] }
            var segments: [SealedSegment] = []
            for sealed in try folder.segmentsToSend() where !carried.withLock({ $0.contains(sealed.name.sealed) }) {
                let name = sealed.name.sealed
                guard let digest = try folder.sha256(ofFileNamed: name, sealed.status) else { continue }
                // From here on it may arrive, and nobody may forget what is in it without asking.
                try lock.begin(name)
                carried.withLock { _ = $0.insert(name) }
                segments.append(SealedSegment(name, in: folder, bytes: sealed.status.bytes, digest))
            }
            return segments
        }
        var offers: [Offer] = []
        for segment in segments {
            do {
                let request = try await destination.request(for: segment)
                offers.append(Offer(id: segment.name, file: URL(fileURLWithPath: segment.path), request: request))
            } catch {
                for segment in segments { failed(segment.name) }
                throw error
            }
        }
        return offers
    }

    /// The destination has the segment: it is moved to `.sent/` and removed.
    ///
    /// - Throws: as ``offers()`` does. The segment is offered again then, and the destination has it already.
    public func taken(_ id: String) throws(UploadError) {
        failed(id)
        guard let (name, state) = SegmentName.parse(id), state == .sealed else { return }
        try withLock { folder, lock throws(FileSystemError) in
            try folder.moveToSent(name)
            try lock.end(id)
            try folder.removeSent(name)
        }
    }

    /// The transport does not carry the segment any more. It is offered again, and may have arrived.
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
