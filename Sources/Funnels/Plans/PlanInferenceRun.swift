import Basics
import EventFiles
import PlanAuthoring
import TrackingPlans

/// Writes a tracking plan from what events in files look like.
///
/// Events with the same id count once. Memory: 16 to 37 bytes for each id, and some hundred bytes for each property of each event's name.
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
            // The shape of sessions, then those of the events by the numbers of their names.
            var (shapes, names) = ([EventShape()], Numbering<ExactText>())
            var tally = BatchTally()
            var sessionIDs = FingerprintSet()
            let reading = try reader.read(threads: threads, progress: progress, into: { ShapeBatch(expecting: $0) }) { batch in
                tally.take(batch.head)
                let rows = [0] + batch.names.map { names.number(of: $0) + 1 }
                while shapes.count <= names.all.count { shapes.append(EventShape()) }
                var counts = Array(repeating: 0, count: batch.values.count)
                for line in batch.lines {
                    let isNew = line.name == 0 ? line.id.isNone || sessionIDs.insert(line.id) : !tally.isDuplicate(line.event)
                    guard isNew else { continue }
                    shapes[rows[line.name]].events += 1
                    for value in line.values { counts[value] += 1 }
                }
                for (value, count) in zip(batch.values, counts) where count > 0 { shapes[rows[value.name]].add(value, count) }
            }
            var notes: [String] = []
            let events = zip(names.all, shapes.dropFirst()).filter { $1.events > 0 }
                .map { PlannedEventDeclaration($0.text, $1.properties(of: $0.text, &notes)) }
            let draft = PlanDraft(name: name, events: events, session: shapes[0].properties(of: PlanChecker.sessionEvent, &notes))
            let (text, moreNotes) = draft.written()
            var input = tally.finish(reading)
            input.withoutKey = 0
            return (Draft(text: text, notes: notes + moreNotes, input: input), reading)
        }
    }
}

/// What the inference of a plan keeps of one batch of lines: each different value once, and which of them each line has.
struct ShapeBatch: HeadedBatch {
    struct Value: Sendable, Hashable {
        /// The number of the event's name in ``ShapeBatch/names`` + 1; 0 for a line that begins a session.
        let name: Int
        let path: ExactText
        let kind: PlannedProperty.Kind
        /// `nil` for a value that is no string.
        let text: ExactText?
    }

    var head: BatchHead
    /// Each line's name as a ``Value`` has it, the number of its event in the batch, its id, and the indices of its values.
    private(set) var lines: [(name: Int, event: Int, id: Fingerprint, values: [Int])] = []
    var values: [Value] { numbering.all }
    /// A name that is not UTF-8 stands in a plan with replacement characters.
    var names: [ExactText] { table.names.map { ExactText(String(decoding: $0, as: UTF8.self)) } }

    private var table = NameTable()
    private var numbering = Numbering<Value>()
    private var properties = PlanValues()
    private let keepsLines: Bool

    /// - Parameter keepsLines: `false` where only the paths of names are asked for: then no line and no text is kept.
    init(expecting lines: Int, keepsLines: Bool = true) { (head, self.keepsLines) = (BatchHead(expecting: lines), keepsLines) }

    mutating func take(_ line: EventHead) {
        let isEvent = head.take(line)
        guard isEvent || line.kind == .meta && line.name.elementsEqual(SessionLine.name) && !SessionLine.repeats(line) else { return }
        let name = isEvent ? table.number(of: line.name) + 1 : 0
        var numbers: [Int] = []
        for (path, value) in properties.all(in: line.props) {
            guard let kind = value.kind, !PlanChecker.isReserved(path) else { continue }
            let text: ExactText? = if keepsLines, case .string(let string) = value { ExactText(string) } else { nil }
            numbers.append(numbering.number(of: Value(name: name, path: ExactText(path), kind: kind, text: text)))
        }
        if keepsLines { lines.append((name, head.events - 1, line.id, numbers)) }
    }
}
