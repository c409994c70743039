import Foundation

/// The header `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in one of three forms.
package enum RetryAfter {
    /// How long to wait; `nil` if the text is neither. A date in the past gives zero. `now` is in milliseconds since 1970 UTC.
    package static func parse(_ text: String, now: Int64) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // A number of seconds that does not fit `Int64` stands for a very long time.
            return .seconds(Int64(text) ?? .max / 1_000_000_000)
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) {
                let wait = date.timeIntervalSince1970 - Double(now) / 1000
                return .milliseconds(Int64(max(0, min(wait, 1e9)) * 1000))
            }
        }
        return nil
    }
}
