import Basics
import CPages
import Deflate
package import Funnels
import TrackingEvents

/// One HTML file that holds events and counts them in the browser.
///
/// Nothing of the data is HTML: it stands in packed blocks of numbers and of JSON, which the page unpacks. The page may load nothing, and
/// it runs only the scripts and styles whose digests its policy names.
package struct ExplorePage {
    /// The version of the blocks; a page's script reads no other.
    static let version = 1

    private let payload: ExplorePayload
    private let zone: TimeZoneRules
    private let paths: [String]
    private let steps: String?
    private let funnels: [SavedFunnel]
    private let marks: [FunnelTrendResult.Mark]

    /// - Parameters:
    ///   - zone: the zone at whose midnights the days of the payload begin.
    ///   - paths: where the events come from, as typed.
    ///   - steps: the funnel that is shown first; `nil` for the first of `funnels`, or the names that most users have.
    ///   - funnels: the saved funnels, which the page lists for choice.
    ///   - marks: what happened on certain days, such as releases.
    package init(
        _ payload: ExplorePayload, in zone: TimeZoneRules, from paths: [String], steps: [FunnelStep]?, funnels: [SavedFunnel],
        marks: [FunnelTrendResult.Mark] = []
    ) {
        (self.payload, self.zone, self.funnels, self.marks) = (payload, zone, funnels, marks)
        self.paths = paths.map(Self.shown)
        self.steps = steps.map(Self.text)
    }

    /// A relative path as it is; of an absolute one only the last part, without the folders above it.
    private static func shown(_ path: String) -> String {
        path.first == "/" ? path.split(separator: "/").last.map(String.init) ?? "/" : path
    }

    private static func text(_ steps: [FunnelStep]) -> String { steps.map(\.description).joined(separator: " > ") }

    /// The whole file, in O(bytes of the payload).
    package var bytes: [UInt8] {
        let (engine, page, style) = (file(page_explore_engine()), file(page_explore_page()), file(page_explore_style()))
        let scripts = [engine, page].map(Self.digest).joined(separator: " ")
        let output = ByteBuffer(capacity: 1 << 20)
        let policy = "default-src 'none'; script-src \(scripts); style-src \(Self.digest(style)); base-uri 'none'; form-action 'none'"
        output.append(
            """
            <!doctype html>
            <html lang="en" data-state="loading">
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Explore</title>
            <style>
            """.utf8)
        output.append(style)
        output.append(
            """
            </style>
            <noscript><p>This page counts with a script, which this browser does not run. The same numbers come from
            <code>looptrail funnel PATH --steps 'a &gt; b'</code>.</noscript>
            <div id="app"></div>

            """)
        // The highest level would take as long as all the rest, to save 3 % of the bytes.
        let compressor = MemberCodec.Compressor(level: 5)
        for (name, bytes) in [("head", Array(head.utf8))] + payload.columns {
            output.append("<script type=\"application/octet-stream\" id=\"c-\(name)\">".utf8)
            Base64.append(bytes.withUnsafeBytes { GzipMember.packed($0, by: compressor) }, to: output)
            output.append("</script>\n")
        }
        output.append("<script type=\"application/json\" id=\"result\"></script>\n")
        for script in [engine, page] {
            output.append("<script>")
            output.append(script)
            output.append("</script>\n")
        }
        output.append("</html>\n")
        return withExtendedLifetime(output) { Array(output.bytes) }
    }

    private func file(_ file: page_file) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: file.bytes, count: file.count) }

    /// An element's content as a Content-Security-Policy names it.
    private static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let digest = SHA256.digest(of: bytes)
        return "'sha256-\(Base64.text(digest.indices.map { digest[$0] }))'"
    }

    /// What the page knows besides the columns.
    private var head: String {
        let sample: JSONObject? = payload.sample.map {
            ["share": $0.share, "users": $0.users, "of_users": $0.ofUsers, "of_events": $0.ofEvents]
        }
        let dates = payload.dayStarts.map { CivilDate.floor(zone.civil(at: $0), 86_400_000) }
        let head: JSONObject = [
            "looptrail_explore": Self.version, "events": payload.events, "users": payload.users, "sessions": payload.sessions,
            "base_ms": payload.base, "names": payload.names, "props": payload.properties.map(Self.json),
            "session": payload.sessionProperties.map(Self.json),
            "left_out": payload.leftOut.map { left -> JSONObject in
                ["path": left.property.path, "values": left.values, "session": left.property.source == .session]
            },
        ]
        let cohort = payload.definition.cohort
        let rest: JSONObject = [
            "days": payload.days.map { [Int64($0.count), $0.first, $0.last] }, "day_starts": Self.byDate(payload.dayStarts, dates),
            "first_day": dates.first, "holes": payload.holes.map { [$0.lowerBound, $0.upperBound] }, "silence_ms": payload.silence,
            "late": payload.late.map { [Int64($0.session), $0.time] }, "tz": zone.name, "k": payload.definition.minimumUsers,
            "identify": payload.definition.identify, "cut": !cohort.isEveryone, "only_users": cohort.only?.name,
            "not_users": cohort.except?.name, "sample": sample, "ids": payload.ids, "steps": steps,
            "funnels": funnels.map { funnel -> JSONObject in ["name": funnel.name, "ask": json(funnel)] },
            "source": paths.joined(separator: " "), "paths": paths,
            "marks": marks.map { [ReportValue.count($0.milliseconds), .data($0.label)] },
        ]
        var writer = JSONWriter()
        (head + payload.input.json + rest).write(to: &writer)
        return writer.text
    }

    /// The start of each date. One that the zone passed over begins where the next one does.
    static func byDate(_ starts: [Int64], _ dates: [Int64]) -> [Int64] {
        starts.prefix(1) + zip(starts.dropFirst(), zip(dates, dates.dropFirst())).flatMap { repeatElement($0, count: Int($1.1 - $1.0)) }
    }

    private static func json(_ property: ExploreProperty) -> JSONObject {
        [
            "path": property.path, "names": property.names, "values": property.values,
            "ranges": property.ranges.map { [$0.low, $0.high] }, "folded": property.folds,
        ]
    }

    /// A funnel in the words of the flags; `null` stands for a setting's default. The page refuses settings that it cannot count.
    private func json(_ funnel: SavedFunnel) -> JSONObject {
        let timeout = funnel.sessionTimeout
        return [
            "steps": Self.text(funnel.steps), "window": DurationText.exact(funnel.window),
            "step-window": funnel.stepWindow.map(DurationText.exact), "by": funnel.key == .user ? nil : funnel.key.description,
            "order": funnel.order == .ordered ? nil : funnel.order.rawValue, "hold": funnel.hold.map { PropertyPath.text($0) },
            "count": funnel.counting?.rawValue, "exclude": funnel.exclusions.map(\.description),
            "breakdown": funnel.breakdown?.description, "top": funnel.breakdown.map { String($0.top) },
            "compat": funnel.compat?.description, "since": funnel.since, "until": funnel.until,
            "session-timeout": timeout == FunnelDefinition.defaultSessionTimeoutMilliseconds ? nil : DurationText.exact(timeout),
            "no-identify": payload.definition.identify && !funnel.identify ? "true" : nil,
        ]
    }
}
