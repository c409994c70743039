public import LoopCore

extension Middleware where State: Codable & Sendable, Event: Codable & Sendable {
    /// Records each event and what it changed, as JSON by the types' own `Codable`. Such a recording can be replayed.
    ///
    /// ```swift
    /// let recorder = try Recorder(folder: "recordings")
    /// system.attach(.record(to: recorder, hiding: ["/user/phone", "/chats/*/text"]))
    /// ```
    /// Attach it before the first event. The events that middleware such as `pullback` lets through have numbers of their own. Values of
    /// types that are `LogSensitive` are written as `***`, and so is what `hiding` names.
    ///
    /// A part of the state that is `Equatable` and equals its earlier value is not encoded again. So a change is missed where `==` leaves
    /// out what `encode(to:)` writes, or where an object is changed in place.
    ///
    /// - Parameter hidden: paths of parts of states and events that are not recorded: `/user/phone`, with `*` for any key or index.
    public static func record(to recorder: Recorder, hiding hidden: [String] = []) -> Middleware {
        recording(to: recorder, as: .json, hiding: hidden)
    }

    /// Records everything, sensitive values too: for tests. Like every recorder, it is left out of `StepTiming.middleware`.
    public static func recordKeepingSensitive(to recorder: Recorder) -> Middleware { recording(to: recorder, as: .json, hiding: nil) }
}

extension Middleware where State: Sendable, Event: Sendable {
    /// Records each event and what it changed, in a form of your choice.
    ///
    /// - Parameters:
    ///   - form: ``RecordingForm/text`` for any types; ``RecordingForm/coded(events:states:)`` for coders of your own.
    ///   - hidden: as ``record(to:hiding:)`` takes them. A text has no paths, so in it every value is hidden that a path may lead to.
    public static func record(to recorder: Recorder, as form: RecordingForm<State, Event>, hiding hidden: [String] = []) -> Middleware {
        recording(to: recorder, as: form, hiding: hidden)
    }
}

extension Middleware {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "State and Event are not both Codable and Sendable. `.record(to: recorder, as: .text)` records Sendable types."
    )
    public static func record(to recorder: Recorder, hiding hidden: [String] = []) -> Middleware { fatalError("unavailable") }

    /// Records without **the compiler's check** that the values may go to another thread: with the promise of `log(_:uncheckedOn:)`.
    public static func record(
        uncheckedTo recorder: Recorder, as form: RecordingForm<State, Event> = .text, hiding hidden: [String] = []
    ) -> Middleware {
        recording(to: recorder, as: form, hiding: hidden)
    }

    /// - Parameter hidden: `nil` keeps even sensitive values.
    private static func recording(to recorder: Recorder, as form: RecordingForm<State, Event>, hiding hidden: [String]?) -> Middleware {
        Middleware(needs: [.timing, .middlewareTime, .effects]) { loop in
            let system = RecordedSystem(recorder, form, hiding: hidden, system: loop.name)
            return Watcher(step: system.step, effect: system.effect, taken: system.taken)
        }
    }
}
