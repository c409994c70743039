/// The names of the meta lines of version 1, and keys of their properties. Meta lines are not events: no funnel step matches one.
package enum MetaEventName {
    /// Written by the tracker at the head of each session, with the context of all its events.
    package static let sessionStarted = "session_started"
    /// Written by the tracker: the anonymous id in `props.anonymous` belongs to the line's `user` from now on.
    package static let identified = "identified"
    /// Written by the writer, or by a tracker that could not hold events: how many did not reach the file, why, and of which sessions.
    package static let dropped = "dropped"
    /// In ``dropped``: the file that was removed with the events.
    package static let segment = "segment"
    /// In ``dropped``: the file that was removed may be at its destination, which did not show it.
    package static let unconfirmed = "unconfirmed"
    /// Written by the writer: storage failed for a while and works again.
    package static let storageRecovered = "storage_recovered"
    /// Written by the writer instead of an event whose line would be longer than ``EventLineLimits/lineBytes``.
    package static let tooLarge = "too_large"

    /// In ``sessionStarted``: the share of sessions that are tracked, 1 for all of them.
    package static let sampleRate = "sample_rate"
    /// In ``sessionStarted``: the tracker's session before.
    package static let previousSession = "previous_session"
    /// In ``sessionStarted``: the writer repeats the rate at the head of a file; the session began earlier.
    package static let repeated = "repeat"
}
