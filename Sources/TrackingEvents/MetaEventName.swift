/// The names of the meta lines of version 1. They are notes about events, never events: no funnel step matches one.
public enum MetaEventName {
    /// By the tracker, at the head of each session; carries the context once for all its events.
    public static let sessionStarted = "session_started"
    /// By the tracker: the anonymous id in `props.anonymous` belongs to the line's `user` from now on.
    public static let identified = "identified"
    /// By the writer, or by a tracker that could not hold them: how many events did not reach the file, why, and of which sessions.
    public static let dropped = "dropped"
    /// By the writer: storage failed for a while and works again.
    public static let storageRecovered = "storage_recovered"
    /// By the writer, in place of an event whose line would be longer than ``EventLineLimits/lineBytes``.
    public static let tooLarge = "too_large"

    /// In ``sessionStarted``: the share of sessions that are tracked, 1 for all of them.
    public static let sampleRate = "sample_rate"
    /// In ``sessionStarted``: the session that the tracker had before.
    public static let previousSession = "previous_session"
    /// In ``sessionStarted``: a writer tells the rate again at the head of a file, and the session began earlier.
    public static let repeated = "repeat"
}
