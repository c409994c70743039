import EventFiles
import Funnels
import Reports

/// What the demo's first screen says of its two weeks: whose visits end at the checkout.
///
/// Nothing here knows of the planted fault: `looptrail why` is asked, and what it found is put in words.
struct DemoFinding {
    private let why: Why

    /// Asks the files what goes with the last step, visit by visit.
    init(reading reader: EventFileReader, threads: Int) throws {
        let funnel = try FunnelDefinition(
            steps: FunnelStep.parse(DemoFunnel.steps), windowMilliseconds: DemoFunnel.windowMilliseconds, key: .session)
        why = try WhyRun(WhyDefinition(funnel, top: 100)).why(reading: reader, threads: threads).why
    }

    /// The surest of each path of the session's context that goes with staying behind, and holds; `nil` if there is none.
    var sentence: String? {
        var paths: [Why.Candidate] = []
        for one in why.candidates
        where one.kind == .session && one.holds && one.oddsRatio < 1 && !paths.contains(where: { $0.name == one.name }) {
            paths.append(one)
        }
        // One path says little where several say the same: who is meant has all of them.
        guard !paths.isEmpty else { return nil }
        let whom = paths.prefix(2).map { one in
            let stayed = NumberFormat.percent(Double(one.droppedWith) / Double(why.dropped))
            let wentOn = NumberFormat.percent(Double(one.convertedWith) / Double(why.converted))
            return "\(one.name) = \(one.value ?? "") (\(stayed) of those, \(wentOn) of the visits that paid)"
        }
        return
            "What matters: \(NumberFormat.count(why.dropped)) of \(NumberFormat.count(why.converted + why.dropped)) visits end at the checkout. "
            + "That goes with \(whom.joined(separator: " and with "))."
    }
}
