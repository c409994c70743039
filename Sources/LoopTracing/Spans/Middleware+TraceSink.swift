public import LoopCore

extension Middleware {
    /// Tells each event with its parts, and each effect, as spans of time.
    ///
    /// ```swift
    /// let file = try ChromeTraceFile("loop.trace.json")
    /// system.attach(.trace(to: traces), .trace(to: file, name: "shop"))
    /// ```
    /// An event is told when it has settled, an effect when it has ended; one that runs when the system is let go is told as
    /// cancelled then. Steps without timing, as foreign systems make some, are not told, nor are effects that ran before.
    ///
    /// - Parameters:
    ///   - sinks: where the spans go, one after the other.
    ///   - name: the name of this system, to tell several apart.
    public static func trace(to sinks: any TraceSink..., name: String? = nil) -> Middleware {
        Middleware(
            needs: [.timing, .middlewareTime, .effects],
            makingWatcher: {
                let recorder = SpanRecorder<State, Event>(source: TraceSource(name: name), sinks: sinks)
                return Watcher(step: { recorder.see($0) }, effect: { recorder.hear($0) })
            })
    }
}
