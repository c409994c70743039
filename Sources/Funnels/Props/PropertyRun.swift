public import EventFiles
import TrackingEvents

/// Tells which properties the events of one name have.
public struct PropertyRun: Sendable {
    public let name: String
    /// Whether the properties are those of the lines that begin sessions, each session once, instead of an event's.
    public let isOfSessions: Bool
    /// How many of a key's most frequent values are listed.
    public let top: Int
    public let range: TimeRange
    /// Events of others are left out, by each event's own user or whatever the list is of.
    public let cohort: CohortFilter

    /// - Parameters:
    ///   - name: of the events, compared byte for byte.
    ///   - top: how many of a key's most frequent values are listed; 0 or more.
    ///   - range: of the events' times.
    ///   - cohort: whose events count.
    public init(name: String, top: Int = 5, range: TimeRange = .all, cohort: CohortFilter = .everyone) {
        self.init(name: name, isOfSessions: false, top: top, range: range, cohort: cohort)
    }

    /// The context of sessions: the properties of the lines that begin them.
    ///
    /// - Parameters:
    ///   - top: how many of a key's most frequent values are listed; 0 or more.
    ///   - range: of the times at which sessions begin.
    ///   - cohort: whose sessions count.
    public static func sessions(top: Int = 5, range: TimeRange = .all, cohort: CohortFilter = .everyone) -> PropertyRun {
        PropertyRun(name: MetaEventName.sessionStarted, isOfSessions: true, top: top, range: range, cohort: cohort)
    }

    private init(name: String, isOfSessions: Bool, top: Int, range: TimeRange, cohort: CohortFilter) {
        self.cohort = cohort
        self.name = name
        self.isOfSessions = isOfSessions
        self.top = max(top, 0)
        self.range = range
    }

    /// Reads everything once and lists the properties.
    ///
    /// Memory: 16 to 37 bytes for each id, and for keys and values some tens of megabytes at most: a key with more different values
    /// than are kept is estimated, and says so.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: the catalogue, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    public func catalogue(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (catalogue: PropertyCatalogue, reading: ReadResult) {
        var accumulator = PropertyAccumulator(self)
        var needs = SummaryNeeds(allPropertiesOf: [Array(name.utf8)], cohort: cohort, mostPaths: PropertyCatalogue.keyLimit)
        if isOfSessions { needs.session = true }
        let report = try reader.read(needs, threads: threads, progress: progress) {
            PropertyBatch(self, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return (accumulator.catalogue(report), report)
    }
}
