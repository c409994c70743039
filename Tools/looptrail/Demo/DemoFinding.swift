import EventFiles
import Funnels
import Reports

/// What the demo's first screen says of its two weeks: whose visits end at the checkout.
///
/// Nothing here knows of the planted fault: `looptrail why` is asked, the two surest properties of sessions that go with staying behind are
/// counted together, and what holds is put in words.
struct DemoFinding {
    /// The context that the visits share; empty where nothing was found.
    private let context: [Why.Candidate]
    /// Of the visits with that context, and of all others: how many paid of those that came to the checkout.
    private let inside: Share
    private let outside: Share

    private static let steps = ["checkout_started", "payment_succeeded"]

    /// Asks the files what goes with the last step, visit by visit.
    init(reading reader: EventFileReader, threads: Int) throws {
        let funnel = try FunnelDefinition(
            steps: Self.steps.map { FunnelStep($0) }, windowMilliseconds: DemoFunnel.windowMilliseconds, key: .session)
        let why = try WhyRun(WhyDefinition(funnel, top: 100)).why(reading: reader, threads: threads).why
        var paths: [Why.Candidate] = []
        // The surest of each path that goes with staying behind.
        for one in why.candidates
        where one.kind == .session && one.holds && one.oddsRatio < 1 && !paths.contains(where: { $0.name == one.name }) {
            paths.append(one)
        }
        let pair = Array(paths.prefix(2))
        let asked: [[Why.Candidate]] = [[]] + pair.map { [$0] } + [pair]
        let definitions = try asked.map { context in
            try FunnelDefinition(
                steps: [FunnelStep(Self.pattern(Self.steps[0], context)), FunnelStep(Self.steps[1])],
                windowMilliseconds: DemoFunnel.windowMilliseconds, key: .session
            ).counting(.mature)
        }
        let results = try FunnelRun(definitions).results(reading: reader, threads: threads).results
        let shares = results.map(\.share)
        guard let all = shares.first, let both = shares.last, pair.count == 2 else {
            context = pair
            inside = shares.last ?? Share(0, of: 0)
            outside = (shares.first ?? Share(0, of: 0)).without(inside)
            return
        }
        // Together they are what it is about if those that have only one of them fare better.
        let isTogether = shares[1...2].allSatisfy { one in
            ShareDifference(both, one.without(both)).map { $0.value < 0 && $0.pValue <= FunnelResult.significance } ?? false
        }
        context = isTogether ? pair : [pair[0]]
        inside = isTogether ? both : shares[1]
        outside = all.without(inside)
    }

    private static func pattern(_ name: String, _ context: [Why.Candidate]) -> EventPattern {
        EventPattern(
            names: .oneOf([name]),
            tests: context.map { one in
                let path = one.name.dropFirst("session.".count).split(separator: ".").map(String.init)
                return PropertyTest(path: path, in: .session, comparison: .equal, value: one.value ?? "")
            })
    }

    /// The one thing that matters; `nil` where no difference holds.
    var sentence: String? {
        guard !context.isEmpty, let difference = ShareDifference(inside, outside), difference.pValue <= FunnelResult.significance,
            let share = inside.value
        else { return nil }
        let whom = context.map { "\($0.name) = \($0.value ?? "")" }.joined(separator: " and ")
        return
            "What matters: \(NumberFormat.percent(share)) of \(NumberFormat.count(inside.total)) visits that come to the checkout with \(whom) pay. "
            + "Such a visit \(difference.words(than: "all others"))"
    }
}

extension Share {
    /// Those that are not among the others, which are a part of these.
    fileprivate func without(_ part: Share) -> Share { Share(count - part.count, of: total - part.total) }
}
