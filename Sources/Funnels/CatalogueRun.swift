public import EventFiles
import TrackingEvents

/// Lists which events there are in event files.
public struct CatalogueRun: Sendable {
    /// Events at other times are left out.
    public let range: TimeRange
    /// Events of others are left out.
    public let cohort: CohortFilter

    public init(range: TimeRange = .all, cohort: CohortFilter = .everyone) {
        self.range = range
        self.cohort = cohort
    }

    /// Reads everything once and lists the names.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: the catalogue, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    public func catalogue(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (catalogue: EventCatalogue, reading: ReadResult) {
        var accumulator = CatalogueAccumulator(range, cohort: cohort)
        let test = CohortTest(cohort, countedBy: nil)
        let report = try reader.read(SummaryNeeds(cohort: cohort), threads: threads, progress: progress) {
            CatalogueBatch(cohort: test, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return (accumulator.catalogue(report), report)
    }
}
