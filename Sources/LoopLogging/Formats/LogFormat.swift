public import LoopCore

/// How a step becomes text.
///
/// A format is a value, and a new one is a static member in a file of its own, like ``compact``:
/// ```swift
/// extension LogFormat {
///     static var terse: LogFormat { LogFormat { record, values in "\(record.step.number) \(values.text(ofState: record.step.state))" } }
/// }
/// system.attach(.log(LogOptions(.terse)))
/// ```
public struct LogFormat<State, Event>: Sendable {
    /// What the format reads of a step beside the event and the state. A log asks its system for nothing else.
    @usableFromInline package let needs: MiddlewareNeeds
    var isJSON = false
    private let makeText: @Sendable (LogRecord<State, Event>, LogValues<State, Event>) -> String

    /// - Parameters:
    ///   - needs: what the format wants to find in a step.
    ///   - text: a record as one line, without a line feed at its end. It takes the texts of values from the ``LogValues``, which
    ///     limits and escapes them. Called only for steps that are shown; with a ``LogThread``, off the system's isolation.
    public init(needs: MiddlewareNeeds = [], text: @escaping @Sendable (LogRecord<State, Event>, LogValues<State, Event>) -> String) {
        self.needs = needs
        makeText = text
    }

    package func text(of record: LogRecord<State, Event>, values: LogValues<State, Event> = LogValues()) -> String {
        makeText(record, values)
    }
}
