import Basics
public import TrackingEvents

/// Everything about an ``EventFileWriter`` that can be set. The defaults suit an app.
public struct EventFileWriterOptions: Sendable, Equatable {
    /// What file names begin with: 1 to 64 letters, digits, `_`, `-`, `.`.
    public var stem = "events"
    /// What the lines are. Users do not choose it: each kind has a writer type of its own.
    package var contents = SegmentContents.events
    /// The most events that wait in the ring. The default, 8,192, is some 10 ms of the fastest loop, and hours of a slow one.
    public var ringEvents = 8_192
    /// The most bytes of lines that wait in the ring, 4 MiB by default. The ring file holds a little less of that, and where there was no
    /// room for it, much less.
    public var ringBytes = 4 * 1_048_576
    /// Whether a folder that may not be opened is one that the system opens once the device is unlocked. Only tests change it.
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    package var hasDataProtection = true
    #else
    package var hasDataProtection = false
    #endif
    /// How what waits gets into the ring file.
    public var ring = RingFile.automatic
    /// What happens to events beyond these limits.
    public var overflow = OverflowPolicy.dropNewest
    /// Lines beyond ``ringEvents`` that only meta lines may take, 64 by default: a crowded ring must not lose who a user is.
    public var reservedMetaPlaces = 64
    /// What is written in place of sensitive values.
    public var sensitivity = SensitivityPolicy.drop
    /// How old an unwritten event may get while the writer keeps up, 1 s by default.
    public var idle: Duration = .seconds(1)
    /// How many events wait unwritten while the writer keeps up, 256 by default: lost on a kill where there is no ring file.
    public var unwrittenEvents = 256
    /// How many bytes of lines wait unwritten while the writer keeps up, 60 KiB by default: lost on a kill where there is no ring file.
    public var unwrittenBytes = 60 * 1_024
    /// zlib's level while writing, 1 to 9. The default, 1, is three times as fast as 6, and its files are a tenth larger.
    public var compressionLevel = 1
    /// zlib's level when small members are packed again at the seal, 1 to 9, by default 6; `nil` never packs again.
    public var repackLevel: Int? = 6
    /// Compressed size in bytes at which a file is finished, 8 MiB by default; half of ``retainBytes`` if that has no room for such a file.
    public var rotateBytes: Int64 = 8 * 1_048_576
    /// Age at which a file is finished, 1 h by default.
    public var rotateAge: Duration = .seconds(3_600)
    /// Compressed bytes kept of this stem, 64 MiB by default. Of the oldest finished files beyond, up to 16 are
    /// removed at each rotation.
    public var retainBytes: Int64 = 64 * 1_048_576
    /// Age, by the file's time, up to which finished files are kept, 30 days by default. Older ones are removed when the writer begins and
    /// at each rotation, but never the newest.
    public var retainAge: Duration = .seconds(30 * 86_400)
    /// Finished files kept, 1,000 by default.
    public var retainFiles = 1_000
    /// When finished files get summaries, on request by default.
    public var index = Index.onRequest
    /// Bytes kept in `.quarantine/` of what recovery could not read, 4 MiB by default. The oldest files there make room.
    public var quarantineBytes: Int64 = 4 * 1_048_576
    /// The first pause after storage failed, 1 s by default. Each further one is twice as long.
    public var firstRetry: Duration = .seconds(1)
    /// The longest pause after storage failed, 60 s by default.
    public var longestRetry: Duration = .seconds(60)

    public init() {}

    /// How what waits gets into the ring file, which survives the end of the process.
    public enum RingFile: Sendable, Equatable {
        /// By stores into mapped memory, where the file system is known to keep them: nothing is lost whose ``EventFileWriter/record(_:)``
        /// has returned. Elsewhere, as on Apple systems, by `.written(every: .milliseconds(2))`, for recordings and
        /// logs by `.writtenAtOnce`.
        case automatic
        /// By the writer's thread, in a write that begins so long after an event, when it is scheduled. If the process ends, it loses what
        /// was recorded after its last complete write began.
        case written(every: Duration)
        /// By the caller's thread: nothing is lost whose ``EventFileWriter/record(_:)`` has returned, and each call takes some
        /// microseconds more, depending on the disk.
        case writtenAtOnce
    }

    /// When finished files get summaries: a Parquet file beside each, from which commands and engines answer in a fraction of the time.
    public enum Index: Sendable, Equatable {
        /// When `looptrail index` or an ``EventFileIndexer`` is asked for them.
        case onRequest
        /// On a thread of its own when a file is finished. It takes about three times the processor time of a reading of the file, and 80
        /// MB while it works. Closing the writer waits for it, up to its deadline; what is then missing is made by a later writer in the
        /// folder. Summaries count among ``EventFileWriterOptions/retainBytes``.
        case atSeal
    }

    func reason(_ error: EventFileError, _ path: String) -> EventFileError {
        guard hasDataProtection, case .storage(let cause) = error, cause.errno == EPERM || cause.errno == EACCES else { return error }
        return .locked(path: path, errno: cause.errno)
    }

    /// The size at which a file is finished. One that is larger than the whole quota would be removed as soon as it is published.
    var segmentBytes: Int64 {
        rotateBytes.addingClamped(Int64(BGZF.memberLimit)) > retainBytes ? min(rotateBytes, retainBytes / 2) : rotateBytes
    }

    /// These options for tools and imports: the caller waits for room while storage works, and no file is removed. While storage fails
    /// nobody waits: what finds no room is dropped and counted.
    public static var lossless: EventFileWriterOptions {
        var options = EventFileWriterOptions()
        options.overflow = .block(upTo: .seconds(86_400))
        // What a tool wrote is its result: it is never removed.
        options.retainBytes = .max
        options.retainAge = .seconds(Int64.max / 1_000_000_000)
        options.retainFiles = .max
        return options
    }
}
