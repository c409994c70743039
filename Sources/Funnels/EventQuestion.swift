public import EventFiles

/// A question that one pass over event files answers, such as which events there are, what comes after one, or who comes back.
///
/// ```swift
/// let paths = try PathsDefinition(from: "cart_added").answer(reading: EventFileReader(paths: ["events/"])).answer
/// for node in paths.next { print(node.place, node.count) }
/// ```
/// The answer says how much was read and what was wrong with it. Memory: the reader's buffers, 16 to 37 bytes for each id, and its own.
public protocol EventQuestion<Answer>: Sendable {
    associatedtype Answer
    /// How a pass answers it.
    var pass: EventPass<Answer> { get }
}

extension EventQuestion {
    /// Reads everything once and answers.
    ///
    /// - Parameters:
    ///   - reader: reads the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: the answer, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    public func answer(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (answer: Answer, reading: ReadResult) { try pass.run(reader, threads, progress) }
}

/// How a pass over event files answers a question: what it keeps of each batch of lines, and how that adds up.
public struct EventPass<Answer> {
    typealias Outcome = (answer: Answer, reading: ReadResult)

    let run: (_ reader: EventFileReader, _ threads: Int, _ progress: ((ReadProgress) -> Void)?) throws -> Outcome

    init(_ run: @escaping (EventFileReader, Int, ((ReadProgress) -> Void)?) throws -> Outcome) { self.run = run }

    /// - Parameters:
    ///   - needs: what the batches look at of each event; `nil` if summaries do not have it, so that lines must be read.
    ///   - makeBatch: makes an empty batch with room for about that many lines.
    init<Sum: BatchSum & ~Copyable>(
        _ needs: SummaryNeeds?, into makeBatch: @escaping @Sendable (Int) -> Sum.Batch, _ makeSum: @escaping () -> Sum
    ) where Sum.Answer == Answer {
        run = { reader, threads, progress in
            var sum = makeSum()
            var reading = try reader.read(needs, threads: threads, progress: progress, into: makeBatch) { sum.take($0) }
            if reading.summariesUsed > 0 && sum.dependsOnOrder {
                sum = makeSum()
                let ignored = reading.ignoredSummaries
                reading = try reader.read(threads: threads, progress: progress, into: makeBatch) { sum.take($0) }
                reading.ignoredSummaries = ignored
            }
            return (try sum.answer(reading), reading)
        }
    }
}

/// Adds up the batches of one pass.
protocol BatchSum: ~Copyable {
    associatedtype Batch: DecodedBatch
    associatedtype Answer

    /// Whether the answer depends on the order of properties on a line, as it does where too many came: then it reads lines again.
    var dependsOnOrder: Bool { get }
    /// Takes the next batch, in the order of the data.
    mutating func take(_ batch: Batch)
    consuming func answer(_ reading: ReadResult) throws -> Answer
}

extension BatchSum where Self: ~Copyable { var dependsOnOrder: Bool { false } }
