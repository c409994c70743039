/// What became of one attempt, for `onUpload`.
public struct UploadOutcome: Sendable, Equatable {
    public enum Result: Sendable, Equatable {
        /// The destination has the segment.
        case sent
        /// It is tried again by itself.
        case waiting(UploadError, retryIn: Duration)
        /// It is tried again at the next ``SegmentUploader/start()``.
        case refused(UploadError)
        /// As ``UploadAnswer/unconfirmed(_:)`` says. The segment is asked about again at the next ``SegmentUploader/start()``.
        case unconfirmed(UploadError)
    }

    /// The segment's name; `nil` where the folder itself cannot be used.
    public let segment: String?
    /// The length of what was sent: the segment, or its summary.
    public let bytes: Int64
    public let result: Result
}

/// What ``SegmentUploader/uploadNow()`` has done.
public struct UploadSummary: Sendable, Equatable {
    /// Segments that the destination acknowledged since the call.
    public var sent = 0
    /// Segments that wait and are tried again by themselves.
    public var waiting = 0
    /// Segments that the destination refused, now or before. They are kept.
    public var refused = 0
    /// Segments that may be at the destination, which does not show it, now or before. They are kept.
    public var unconfirmed = 0
    /// The first error of this call.
    public var error: UploadError?

    public init() {}
}

/// What an uploader has done, and what it found when it last looked into the folder.
public struct UploadStatistics: Sendable, Equatable {
    /// Segments that wait, refused and unconfirmed ones not counted.
    public var waiting = 0
    public var waitingBytes: Int64 = 0
    /// Segments that the destination acknowledged to this uploader.
    public var sent = 0
    public var sentBytes: Int64 = 0
    /// Segments that the destination refused. They are kept.
    public var refused = 0
    /// Segments that may be at the destination, which does not show it. They are kept.
    public var unconfirmed = 0
    /// How old the oldest segment was that waits, is refused or is unconfirmed, by the time of its file; `nil` without one.
    public var oldestWaiting: Duration?
}
