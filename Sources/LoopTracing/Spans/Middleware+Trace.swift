public import LoopCore

extension Middleware {
    /// Records each event with its parts, and each effect, as spans of time.
    ///
    /// ```swift
    /// let file = try ChromeTraceFile(path: "loop.trace.json")
    /// system.attach(.trace(to: file))
    /// …
    /// file.finish()
    /// ```
    /// An event is recorded when it has settled, an effect when it has ended. An effect that still runs when the system is released is
    /// recorded as cancelled. Left out are steps without timing, as other libraries may make, and effects that began before the attaching.
    ///
    /// - Parameter sinks: where the spans go, one after the other.
    public static func trace(to sinks: any TraceSink...) -> Middleware {
        Middleware(needs: [.timing, .middlewareTime, .effects]) { loop in
            let recorder = SpanRecorder<State, Event>(source: TraceSource(name: loop.name), sinks: sinks)
            return Watcher(step: { recorder.see($0) }, effect: { recorder.see($0) })
        }
    }
}
