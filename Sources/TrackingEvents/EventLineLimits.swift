/// The limits of a version 1 line, so that no single event makes a file unreadable for engines.
package enum EventLineLimits {
    /// The schema version that is written, and the highest that is read.
    package static let version: Int64 = 1
    /// The longest line, its line feed not counted, in bytes. A larger event becomes a `too_large` meta line.
    package static let lineBytes = 32 * 1024
    /// The longest event name, in bytes of UTF-8.
    package static let nameBytes = 200
    /// The longest text or key in `props`, in bytes of UTF-8.
    package static let stringBytes = 1024
    /// The most keys in `props`, nested ones included.
    package static let keys = 128
    /// How deep `props` may nest; `props` itself is the first level.
    package static let depth = 4
    /// Integers beyond ± this are written as text, because JavaScript and several engines hold numbers as doubles.
    package static let integerMagnitude: Int64 = 1 << 53
    /// The key that says that something was cut: `"_cut":true`.
    package static let cutKey = "_cut"
}
