import Basics
public import LoopCore
import LoopLogging
import TrackingEvents

extension Middleware where State: Codable & Sendable, Event: Codable & Sendable {
    /// Records each event and what it changed, as JSON by the types' own `Codable`. Such a recording can be replayed.
    ///
    /// ```swift
    /// let recorder = try Recorder(folder: "recordings")
    /// system.attach(.record(to: recorder, hiding: ["/user/phone", "/chats/*/text"]))
    /// ```
    /// Attach it before the first event. Values of types that are `LogSensitive` are written as `***`, and so is what `hiding` names.
    ///
    /// A part of the state that is `Equatable` and equals what it was is not encoded again. A `==` that leaves out what `encode(to:)` writes hides changes of it, and
    /// so does an object that is changed in place.
    ///
    /// - Parameters:
    ///   - recorder: may serve several systems.
    ///   - hidden: paths of what is not to be recorded, in states and events: `/user/phone`, with `*` for any key or index.
    public static func record(to recorder: Recorder, hiding hidden: [String] = []) -> Middleware {
        recording(to: recorder, as: .json, hiding: hidden)
    }

    /// Records everything, sensitive values too. For tests.
    public static func recordKeepingSensitive(to recorder: Recorder) -> Middleware { recording(to: recorder, as: .json, hiding: nil) }
}

extension Middleware where State: Sendable, Event: Sendable {
    /// Records each event and what it changed, in a form of your choice.
    ///
    /// - Parameters:
    ///   - recorder: may serve several systems.
    ///   - form: ``RecordingForm/text`` for any types; ``RecordingForm/coded(events:states:)`` for coders of your own.
    ///   - hidden: as ``record(to:hiding:)`` takes them. Of a text, which has no paths, all values are hidden that a path may lead to.
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

    /// Records each event and what it changed **without the compiler's check** that the values may go to another thread: with the promise of
    /// `log(_:uncheckedOn:)`.
    public static func record(
        uncheckedTo recorder: Recorder, as form: RecordingForm<State, Event> = .text, hiding hidden: [String] = []
    ) -> Middleware {
        recording(to: recorder, as: form, hiding: hidden)
    }

    /// - Parameter hidden: `nil` for what keeps even sensitive values.
    private static func recording(to recorder: Recorder, as form: RecordingForm<State, Event>, hiding hidden: [String]?) -> Middleware {
        Middleware(needs: [.timing, .effects]) { loop in
            let session = recorder.begin(system: loop.name)
            let events = RecordedEvents(recorder, session, form, hiding: hidden)
            let states = RecordedStates(session, form, hiding: hidden, clock: recorder.clock, stopwatch: recorder.stopwatch)
            // That of the recorder when the last head was written; negative while nothing may be recorded.
            var interruptions = -1
            // The last step that was not recorded, with the state that a recording can go on from.
            var unrecorded: Step<State, Event>?
            func goOn(from step: Step<State, Event>, _ count: Int, atOnce: Bool = false) {
                interruptions = count
                unrecorded = nil
                // By the promise, or by `Sendable` where this is called.
                nonisolated(unsafe) let step = step
                recorder.append(nil, atOnce: atOnce) { write in states.begin(at: step.number, step.state, to: write) }
            }
            return Watcher(
                step: { step in
                    let (isGranted, count) = recorder.permission
                    // What is replayed has been recorded when it happened.
                    if step.isReplay || !isGranted {
                        interruptions = -1
                        unrecorded = step
                        return
                    }
                    if step.phase == .effectFailed { return }
                    // At once where that can be: what follows may crash the program, and is worth nothing without a head.
                    if step.phase == .initial { return goOn(from: step, count, atOnce: true) }
                    if count != interruptions { return goOn(from: step, count) }
                    let isAfterHole = events.takeHole()
                    // As above.
                    nonisolated(unsafe) let step = step
                    recorder.append(session, number: step.number) { write in states.write(step, afterHole: isAfterHole, to: write) }
                },
                effect: { notice in
                    if interruptions < 0 { return }
                    let line = notice.line(of: session, at: recorder.clock.milliseconds)
                    recorder.append(session, number: notice.number) { _ = $0(line) }
                },
                taken: { number, event, origin, cause in
                    let (isGranted, count) = recorder.permission
                    if !isGranted { return }
                    if let unrecorded { goOn(from: unrecorded, count) }
                    if interruptions >= 0 { events.taken(number, event, origin, by: cause) }
                })
        }
    }
}

extension EffectNotice {
    /// `{"effect":7,"by":812,"via":"load","t_ms":…}`, and at the end `{"effect":7,"t_ms":…,"ns":…,"outcome":"finished"}`.
    fileprivate func line(of session: RecordedSession, at time: Int64) -> String {
        RecordingText.line(session) { json in
            json.member("effect", id)
            if outcome == nil {
                json.member("by", number)
                if case .effect(let name) = source { json.member("via", name) }
            }
            json.member("t_ms", time)
            guard let outcome else { return }
            json.member("ns", Int64(clamping: duration))
            json.member("outcome", outcome.word)
            if let error = outcome.error { json.member("error", LogValues<Never, Never>().text(ofError: error)) }
        }
    }
}
