public import LoopCore

extension Middleware {
    /// Records each event with its parts, and each effect, as spans of time.
    ///
    /// ```swift
    /// let file = try ChromeTraceFile(path: "loop.trace.json")
    /// system.attach(.trace(to: file, name: "shop"))
    /// ```
    /// An event is recorded when it has settled, an effect when it has ended. An effect that still runs when the system is released is
    /// recorded as cancelled. Steps without timing, as some callbacks of foreign systems make, and effects that began before are left out.
    ///
    /// - Parameters:
    ///   - sinks: where the spans go, one after the other.
    ///   - name: the name of this system, to distinguish several.
    public static func trace(to sinks: any TraceSink..., name: String? = nil) -> Middleware {
        Middleware(
            needs: [.timing, .middlewareTime, .effects],
            makingFunctions: {
                let recorder = SpanRecorder<State, Event>(source: TraceSource(name: name), sinks: sinks)
                return Functions(step: { recorder.see($0) }, effect: { recorder.see($0) })
            })
    }
}
