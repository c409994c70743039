public import EventFiles
import TrackingEvents

/// Finds what comes next after an event, or what came before it, over event files.
///
/// ```swift
/// let outcome = try PathsRun(PathsDefinition(from: "cart_added")).paths(reading: EventFileReader(paths: ["events/"]))
/// for node in outcome.paths.next { print(node.place, node.count) }
/// ```
public struct PathsRun: Sendable {
    public let definition: PathsDefinition

    public init(_ definition: PathsDefinition) { self.definition = definition }

    /// Reads everything once and follows each key.
    ///
    /// Memory: 24 bytes for each event that has a key, 16 to 37 for each id, 8 for each event of a path, and the reader's buffers.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: the paths, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    /// - Complexity: O(bytes + events + starts × depth), if each key's events stand nearly in the order of time.
    public func paths(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (paths: EventPaths, reading: ReadResult) {
        var accumulator = PathsAccumulator(definition)
        let key = KeyReader(definition.key)
        let joins = definition.joins
        let cohort = CohortTest(definition.cohort, countedBy: definition.key)
        let needs = SummaryNeeds(key: definition.key, joins: joins, cohort: definition.cohort)
        let report = try reader.read(needs, threads: threads, progress: progress) {
            CatalogueBatch(key, joins: joins, cohort: cohort, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return (accumulator.paths(report), report)
    }
}
