/// The names of the meta lines of version 1, and keys of their properties. Meta lines are not events: no funnel step matches one. The page
/// "Format and contract" of EventFiles tells who writes each of them, and what its properties mean.
package enum MetaEventName {
    package static let sessionStarted = "session_started"
    package static let identified = "identified"
    package static let dropped = "dropped"
    package static let storageRecovered = "storage_recovered"
    package static let tooLarge = "too_large"

    // In `dropped`.
    package static let segment = "segment"
    package static let unconfirmed = "unconfirmed"

    // In `session_started`.
    package static let sampleRate = "sample_rate"
    package static let previousSession = "previous_session"
    package static let repeated = "repeat"
}
