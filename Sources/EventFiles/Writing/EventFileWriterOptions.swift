import Basics
public import TrackingEvents

/// Everything about an ``EventFileWriter`` that can be set. The defaults suit an app.
public struct EventFileWriterOptions: Sendable, Equatable {
    /// The defaults, with what speaks for them.
    public enum Defaults {
        /// Files begin with this.
        public static let stem = "events"
        /// Events that wait in memory: some 10 ms of the fastest loop, hours of a slow one.
        public static let pendingEvents = 8_192
        /// Bytes that wait in memory, 4 MiB.
        public static let pendingBytes = 4 * 1_048_576
        /// Places beyond ``pendingEvents`` that only meta lines may take: a crowded ring must not lose who a user is.
        public static let reservedMetaPlaces = 64
        /// How old an unwritten event may get while the writer keeps up.
        public static let idle: Duration = .seconds(1)
        /// How many events a kill may cost while the writer keeps up.
        public static let unwrittenEvents = 256
        /// How many bytes of lines a kill may cost while the writer keeps up, 60 KiB.
        public static let unwrittenBytes = 60 * 1_024
        /// zlib's level while writing: 1 is three times as fast as 6 and a tenth larger.
        public static let compressionLevel = 1
        /// zlib's level when small members are packed again at the seal.
        public static let repackLevel = 6
        /// Compressed size at which a file is finished, 8 MiB.
        public static let rotateBytes: Int64 = 8 * 1_048_576
        /// Age at which a file is finished.
        public static let rotateAge: Duration = .seconds(3_600)
        /// Compressed bytes kept, 64 MiB.
        public static let retainBytes: Int64 = 64 * 1_048_576
        /// Age up to which files are kept: 30 days.
        public static let retainAge: Duration = .seconds(30 * 86_400)
        /// Files kept.
        public static let retainFiles = 1_000
        /// Bytes kept of what recovery could not read, 4 MiB.
        public static let quarantineBytes: Int64 = 4 * 1_048_576
        /// The first wait after storage failed; each further one is twice as long.
        public static let firstRetry: Duration = .seconds(1)
        /// The longest wait after storage failed.
        public static let longestRetry: Duration = .seconds(60)
    }

    /// What file names begin with: 1 to 64 letters, digits, `_`, `-`, `.`.
    public var stem = Defaults.stem
    /// What the lines are; not for users to choose, who have a type for each.
    package var contents = SegmentContents.events
    /// The most events that wait in memory.
    public var pendingEvents = Defaults.pendingEvents
    /// The most bytes of lines that wait in memory.
    public var pendingBytes = Defaults.pendingBytes
    /// What happens to events beyond these.
    public var overflow = OverflowPolicy.dropNewest
    /// Places that only meta lines may take, beyond ``pendingEvents``.
    public var reservedMetaPlaces = Defaults.reservedMetaPlaces
    /// What is written in place of sensitive values.
    public var sensitivity = SensitivityPolicy.drop
    /// How old an unwritten event may get while the writer keeps up.
    public var idle = Defaults.idle
    /// How many events a kill may cost while the writer keeps up.
    public var unwrittenEvents = Defaults.unwrittenEvents
    /// How many bytes of lines a kill may cost while the writer keeps up.
    public var unwrittenBytes = Defaults.unwrittenBytes
    /// zlib's level while writing, 1 to 9.
    public var compressionLevel = Defaults.compressionLevel
    /// zlib's level when small members are packed again at the seal, 1 to 9; `nil` never packs again.
    public var repackLevel: Int? = Defaults.repackLevel
    /// Compressed size in bytes at which a file is finished; where ``retainBytes`` has no room for such a file, at half of that.
    public var rotateBytes = Defaults.rotateBytes
    /// Age at which a file is finished.
    public var rotateAge = Defaults.rotateAge
    /// Compressed bytes kept of this stem; the oldest finished files beyond are removed at each rotation.
    public var retainBytes = Defaults.retainBytes
    /// Age, by the file's time, up to which finished files are kept; at most one is removed for its age at each rotation.
    public var retainAge = Defaults.retainAge
    /// Finished files kept.
    public var retainFiles = Defaults.retainFiles
    /// Bytes kept in `.quarantine/` of what recovery could not read; the oldest make place.
    public var quarantineBytes = Defaults.quarantineBytes
    /// The first wait after storage failed.
    public var firstRetry = Defaults.firstRetry
    /// The longest wait after storage failed.
    public var longestRetry = Defaults.longestRetry

    public init() {}

    /// The size at which a file is really finished. A file that is larger than the whole quota would be removed the moment it is published,
    /// with every event there is.
    var segmentBytes: Int64 {
        let largest = rotateBytes.addingClamped(Int64(BGZF.memberLimit))
        return largest > retainBytes ? min(rotateBytes, retainBytes / 2) : rotateBytes
    }

    /// These options for tools and imports: the caller waits for storage rather than lose an event.
    public static var lossless: EventFileWriterOptions {
        var options = EventFileWriterOptions()
        options.overflow = .block(upTo: .seconds(86_400))
        // What a tool wrote is its result: nobody wants it thrown away.
        options.retainBytes = .max
        options.retainAge = .seconds(Int64.max / 1_000_000_000)
        options.retainFiles = .max
        return options
    }
}
