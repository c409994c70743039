import Basics
public import TrackingEvents

/// Everything about an ``EventFileWriter`` that can be set. The defaults suit an app.
public struct EventFileWriterOptions: Sendable, Equatable {
    /// What file names begin with: 1 to 64 ASCII letters, digits, `_`, `-`, `.`, but neither `-` nor `.` first.
    public var stem = "events"
    /// What the lines are. Users do not choose it: each kind has a writer type of its own.
    package var contents = SegmentContents.events
    /// The most events that wait in the ring. The default is 8,192: what the fastest loop records in some 10 ms, and an app in hours.
    public var ringEvents = 8_192
    /// The most bytes of lines that wait in the ring, 4 MiB by default. The ring file holds a little less, much less on a full disk.
    public var ringBytes = 4 * 1_048_576
    /// Whether a folder that the system refuses to open counts as locked until the device is unlocked, as on a phone. Only tests change it.
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    package var hasDataProtection = true
    #else
    package var hasDataProtection = false
    #endif
    /// How waiting events get into the ring file.
    public var ring = RingFile.automatic
    /// What happens to events for which the ring has no room.
    public var overflow = OverflowPolicy.dropNewest
    /// How many meta lines may wait beyond ``ringEvents``, 64 by default: a full ring must not lose the line that says who a user is.
    public var reservedMetaPlaces = 64
    /// What is written in place of sensitive values.
    public var sensitivity = SensitivityPolicy.drop
    /// How old an unwritten event may get while the writer keeps up, 1 s by default.
    public var idle: Duration = .seconds(1)
    /// How many events may wait unwritten while the writer keeps up, 256 by default. Without a ring file, a kill loses them.
    public var unwrittenEvents = 256
    /// How many bytes of lines may wait unwritten while the writer keeps up, 60 KiB by default. Without a ring file, a kill loses them.
    public var unwrittenBytes = 60 * 1_024
    /// zlib's level while writing, 1 to 9. The default, 1, is three times as fast as 6, and its files are a tenth larger.
    public var compressionLevel = 1
    /// zlib's level when a finished file's small members are packed again, 1 to 9, by default 6; `nil` never packs them again.
    public var repackLevel: Int? = 6
    /// Compressed size in bytes at which a file is finished, 8 MiB by default. Half of ``retainBytes``, where that cannot hold such a file.
    public var rotateBytes: Int64 = 8 * 1_048_576
    /// Age at which a file is finished, 1 h by default.
    public var rotateAge: Duration = .seconds(3_600)
    /// The most compressed bytes kept of this stem, 64 MiB by default. Beyond, each rotation removes up to 16 files, sent ones first.
    public var retainBytes: Int64 = 64 * 1_048_576
    /// Age, by the file's modification time, up to which finished files are kept, 30 days by default. Older ones are removed when the
    /// writer begins and at each rotation, but never the newest. A clock that is set ahead meanwhile makes none older.
    public var retainAge: Duration = .seconds(30 * 86_400)
    /// The most finished files kept, 1,000 by default.
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

    /// How waiting events get into the ring file, which survives the end of the process.
    public enum RingFile: Sendable, Equatable {
        /// By stores into mapped memory, where the file system is known to keep them: an event is safe once its
        /// ``EventFileWriter/record(_:)`` has returned. Elsewhere, as on Apple systems, like `.written(every: .milliseconds(2))`, and for
        /// recordings and logs like `.writtenAtOnce`.
        case automatic
        /// By the writer's thread, in a write that begins this long after an event, or later if the thread is not scheduled in time. If the
        /// process ends, it loses what was recorded after the last complete write began.
        case written(every: Duration)
        /// By the caller's thread, which takes some microseconds more: an event is safe once its ``EventFileWriter/record(_:)`` returns.
        case writtenAtOnce
    }

    /// When finished files get summaries: a Parquet file beside each, from which commands and engines answer questions much faster.
    public enum Index: Sendable, Equatable {
        /// When `looptrail index` or an ``EventFileIndexer`` is asked for them.
        case onRequest
        /// When a file is finished, on a thread of its own. A summary takes about three times the processor time of reading the file, and
        /// 80 MB while it is made. Closing the writer waits for summaries up to its deadline; a later writer in the folder makes those that
        /// are then missing. Their bytes count towards ``EventFileWriterOptions/retainBytes``.
        case atSeal
    }

    /// A folder that is made is no locked one: who may not make it, may never.
    func reason(_ error: EventFileError, _ path: String) -> EventFileError {
        guard hasDataProtection, case .storage(let cause) = error, cause.call != .makeFolder, [EPERM, EACCES].contains(cause.errno) else {
            return error
        }
        return .locked(path: path, errno: cause.errno)
    }

    /// The size at which a file is finished. A file larger than ``retainBytes`` would be removed as soon as it is published.
    var segmentBytes: Int64 {
        rotateBytes.addingClamped(Int64(BGZF.memberLimit)) > retainBytes ? min(rotateBytes, retainBytes / 2) : rotateBytes
    }

    /// Options for tools and imports: the caller waits for room while storage works, and no file is removed. While storage fails nobody
    /// waits: what finds no room is dropped and counted.
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
