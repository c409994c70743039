import TrackingEvents

/// What a scanner reads from a line, as values that can be compared and printed.
struct ScannedLine: Equatable {
    var time: Int64
    var name: String
    var user: String?
    var session: String?
    var sequence: Int64 = 0
    var id: String?
    var kind = StampedEvent.Kind.track
    var system: String?
    var properties: String?

    static func of(_ bytes: [UInt8], _ scope: EventLineScanner.Scope = .head) -> Result<ScannedLine, BadLine> {
        // The buffer has exactly the line's length, so that debug checks find a read beyond it.
        bytes.withUnsafeBytes { line in
            do throws(BadLine) {
                let event = try EventLineScanner(scope).scan(line)
                func text(_ place: LineText) -> String? { place.isMissing ? nil : place.string(in: line) }
                return .success(
                    ScannedLine(
                        time: event.timeMilliseconds, name: event.name.string(in: line), user: text(event.user),
                        session: text(event.session), sequence: event.sequence, id: text(event.id), kind: event.kind,
                        system: text(event.system), properties: text(event.properties)))
            } catch {
                return .failure(error)
            }
        }
    }

    static func of(_ text: String, _ scope: EventLineScanner.Scope = .head) -> Result<ScannedLine, BadLine> {
        of(Array(text.utf8), scope)
    }
}
