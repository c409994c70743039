internal import EventFiles
internal import TrackingEvents

/// Where segments are sent: one method, so that a transport of your own is one conformance.
///
/// ``HTTPDestination`` is the one that comes with the module.
public protocol UploadDestination: Sendable {
    /// Sends one segment and returns what became of it.
    ///
    /// It is called for one segment at a time, and again with the same one after ``UploadAnswer/later(_:after:)`` and after an error. So a
    /// destination must answer ``UploadAnswer/stored`` if it has the whole segment already, and must never replace it. If it cannot find
    /// out whether it has the whole segment, the answer is ``UploadAnswer/unconfirmed(_:)``.
    ///
    /// - Throws: any error, which means "again later". Cancellation of the task should end the call soon: erasing waits for its end.
    func upload(_ segment: SealedSegment) async throws -> UploadAnswer
}

/// A finished segment that is about to be sent. No other segment has its name, on any device or at any time, and its contents never change.
public struct SealedSegment: Sendable, Equatable {
    /// The file's name, as `events-1a2b3c4d5e6f7081-0000000001.ndjson.gz`: letters, digits, `_`, `-`, `.`. A summary's ends in `.parquet`.
    public let name: String
    /// The file's path.
    public let path: String
    /// Its length in bytes.
    public let bytes: Int64
    /// The SHA-256 of its bytes: 32 bytes.
    public let sha256: [UInt8]

    public init(name: String, path: String, bytes: Int64, sha256: [UInt8]) {
        (self.name, self.path, self.bytes, self.sha256) = (name, path, bytes, sha256)
    }

    init(_ name: String, in folder: EventFolder, bytes: Int64, _ digest: SHA256.Digest) {
        self.init(name: name, path: "\(folder.path)/\(name)", bytes: bytes, sha256: digest.indices.map { digest[$0] })
    }
}

/// The answer of a destination to a segment.
public enum UploadAnswer: Sendable, Equatable {
    /// The destination has the whole segment, now or from before.
    case stored
    /// The destination cannot take the segment now.
    ///
    /// - Parameter after: how long the destination asks to be left alone; `nil` if it does not say.
    case later(UploadError, after: Duration?)
    /// The destination does not take the segment until somebody changes something. ``SegmentUploader/start()`` tries it again.
    case refused(UploadError)
    /// The destination has a file under the name, and nobody can tell whether it is this segment. It is kept, as a refused one is.
    case unconfirmed(UploadError)
}
