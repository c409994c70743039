/// Where the spans of systems go: a file, another tracing library, a test. Several systems may share one, on any threads.
public protocol TraceSink: Sendable {
    /// Takes spans that have ended, on the system's isolation or on the thread that releases the system. Move slow work to another thread.
    ///
    /// - Parameter spans: an event, then its parts in the order in which they began, outer ones first; or one effect.
    func record(_ spans: [TraceSpan])
}
