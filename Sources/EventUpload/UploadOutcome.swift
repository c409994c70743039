/// The outcome of one attempt, for `onUpload`.
public struct UploadOutcome: Sendable, Equatable {
    public enum Result: Sendable, Equatable {
        /// The destination has the segment.
        case sent
        /// A started uploader tries it again.
        case waiting(UploadError, retryIn: Duration)
        /// ``SegmentUploader/start()`` tries a segment again, but no summary.
        case refused(UploadError)
        /// The destination answered ``UploadAnswer/unconfirmed(_:)``. It is asked again at the next ``SegmentUploader/start()``.
        case unconfirmed(UploadError)
    }

    /// The name of the segment or of its summary; `nil` if the folder itself cannot be used.
    public let segment: String?
    /// The length in bytes of the segment or the summary.
    public let bytes: Int64
    public let result: Result
}

/// What ``SegmentUploader/uploadNow()`` has done.
public struct UploadSummary: Sendable, Equatable {
    /// Segments that the destination acknowledged since the call.
    public var sent = 0
    /// Segments that wait: to be sent, or for the end of a recovery or a forgetting.
    public var waiting = 0
    /// Segments that the destination refused, now or before. They are kept.
    public var refused = 0
    /// Segments that were found unconfirmed, now or before: they may be at the destination, which does not show it. They are kept.
    public var unconfirmed = 0
    /// The first error of this call.
    public var error: UploadError?

    public init() {}
}

/// What an uploader has done, and what it found when it last looked into the folder.
public struct UploadStatistics: Sendable, Equatable {
    /// Segments that wait, also for a recovery or for the end of a forgetting. Refused and unconfirmed ones are not counted.
    public var waiting = 0
    public var waitingBytes: Int64 = 0
    /// Segments that the destination acknowledged to this uploader.
    public var sent = 0
    public var sentBytes: Int64 = 0
    /// Segments that the destination refused. They are kept.
    public var refused = 0
    /// Segments that may be at the destination, which does not show it. They are kept.
    public var unconfirmed = 0
    /// The age of the oldest segment that waits, is refused or is unconfirmed, from the time of its file; `nil` without one.
    public var oldestWaiting: Duration?
}
