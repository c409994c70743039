import Basics
import EventFiles
import PlanAuthoring
import TrackingPlans

/// Writes a tracking plan from what events in files look like.
///
/// Memory: some hundred bytes for each property of each event's name.
public struct PlanInferenceRun: EventQuestion {
    /// What one pass gave.
    public struct Draft: Sendable, Hashable {
        /// The plan's file.
        public let text: String
        /// A sentence for each thing in the files that the plan cannot say.
        public let notes: [String]
        /// ``InputQuality/withoutKey`` stays 0.
        public let input: InputQuality
    }

    /// What the plan's type is named after.
    public let name: String

    /// - Parameter name: must contain a letter or a digit.
    public init(name: String) { self.name = name }

    public var pass: EventPass<Draft> {
        EventPass { reader, threads, progress in
            var (shapes, session, names) = ([EventShape](), EventShape(), Numbering<ExactText>())
            var tally = BatchTally()
            let reading = try reader.read(threads: threads, progress: progress, into: { ShapeBatch(expecting: $0) }) { batch in
                tally.take(batch.head)
                session.add(batch.session)
                for (bytes, shape) in zip(batch.names, batch.shapes) {
                    // A name that is not UTF-8 stands in a plan with replacement characters.
                    let index = names.number(of: ExactText(String(decoding: bytes, as: UTF8.self)))
                    if index == shapes.count { shapes.append(EventShape()) }
                    shapes[index].add(shape)
                }
            }
            var notes: [String] = []
            let events = zip(names.all, shapes).map { PlannedEventDeclaration($0.text, $1.properties(of: $0.text, &notes)) }
            let draft = PlanDraft(name: name, events: events, session: session.properties(of: PlanChecker.sessionEvent, &notes))
            let (text, moreNotes) = draft.written()
            var input = tally.finish(reading)
            input.withoutKey = 0
            return (Draft(text: text, notes: notes + moreNotes, input: input), reading)
        }
    }
}

struct ShapeBatch: HeadedBatch {
    var head: BatchHead
    private(set) var shapes: [EventShape] = []
    private(set) var session = EventShape()
    var names: [[UInt8]] { table.names }

    private var table = NameTable()
    private var values = PlanValues()

    init(expecting lines: Int) { head = BatchHead(expecting: lines) }

    mutating func take(_ line: EventHead) {
        if head.take(line) {
            let number = table.number(of: line.name)
            if number == shapes.count { shapes.append(EventShape()) }
            shapes[number].take(values.all(in: line.props))
        } else if line.kind == .meta, line.name.elementsEqual(SessionLine.name), !SessionLine.repeats(line) {
            session.take(values.all(in: line.props))
        }
    }
}
