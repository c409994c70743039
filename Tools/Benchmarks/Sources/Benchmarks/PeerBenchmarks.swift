/// Ours and the published libraries at the same work, side by side in one run.
///
/// The contenders take turns, each round in the opposite order to the one before, so that what else the machine does in these
/// minutes meets all of them alike.
struct PeerBenchmarks {
    let events: Int
    let rounds: Int

    private var contenders: [Contender] {
        var all: [Contender] = [.bare, .idle, .watched, .watchedWhole]
        #if PEER_RESWIFT
        all.append(.reSwift)
        #endif
        #if PEER_MOBIUS
        all.append(.mobius)
        #endif
        #if PEER_LOOP
        all.append(.loop)
        #endif
        #if PEER_PROMISED_ARCHITECTURE_KIT
        all.append(.promisedArchitectureKit)
        #endif
        return all
    }

    @MainActor func run() async {
        let contenders = contenders
        var rounds = contenders.map { _ in [Times]() }
        for contender in contenders { _ = await times(contender, events: events / 10) }
        for round in 0..<self.rounds {
            let order = round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
            for index in order { rounds[index].append(await times(contenders[index], events: events)) }
        }
        show("wall time", Rows(contenders, rounds.map { $0.map(\.wall) }, events: events))
        let rows = Rows(contenders, rounds.map { $0.map(\.processor) }, events: events)
        show("processor time", rows)
        judge(rows)
    }

    /// Seconds.
    private struct Times {
        var wall: Double
        var processor: Double
    }

    @MainActor private func times(_ contender: Contender, events: Int) async -> Times {
        let clock = ContinuousClock()
        let (start, processorStart) = (clock.now, processorSeconds())
        let tally = await contender.count(events)
        let times = Times(wall: (clock.now - start) / .seconds(1), processor: processorSeconds() - processorStart)
        precondition(
            tally.state == events && tally.shown == events && (events...events + 1).contains(tally.showings),
            "\(contender.name) counted to \(tally.state) and showed \(tally.showings) states, the last \(tally.shown), for \(events) events."
        )
        return times
    }

    private struct Rows {
        let ours: [Measurement]
        let peers: [Measurement]

        init(_ contenders: [Contender], _ seconds: [[Double]], events: Int) {
            let rows = zip(contenders, seconds).map { ($0, Measurement(name: $0.name, events: events, seconds: $1)) }
            ours = rows.filter(\.0.isOurs).map(\.1)
            peers = rows.filter { !$0.0.isOurs }.map(\.1)
        }

        var fastestPeer: Measurement? { peers.max { $0.eventsPerSecond < $1.eventsPerSecond } }

        func row(of contender: Contender) -> Measurement? { ours.first { $0.name == contender.name } }
    }

    private func show(_ measure: String, _ rows: Rows) {
        let fastest = rows.fastestPeer
        var table = Table(
            "The counter, \(thousands(Double(events))) increments with one observer, median \(measure) of \(rounds) alternating rounds",
            comparedWith: fastest == nil ? "bare" : "the fastest peer", base: fastest ?? rows.row(of: .bare))
        for row in (rows.ours + rows.peers).sorted(by: { $0.eventsPerSecond > $1.eventsPerSecond }) { table.add(row) }
        table.show()
    }

    private func judge(_ rows: Rows) {
        guard let bare = rows.row(of: .bare), let idle = rows.row(of: .idle), let watched = rows.row(of: .watched) else { return }
        // Round by round and not of the medians: the two of a round ran next to one another.
        let prices = zip(bare.seconds, idle.seconds).map { ($1 - $0) * 1e9 / Double(events) }.sorted()
        let price = prices[prices.count / 2]
        print("\nBy processor time:")
        say("an idle middleware costs \(fixed(price)) ns a step", target: "at most 50 ns", isReached: price <= 50)
        guard let fastest = rows.fastestPeer else {
            print("  No peer was built in: README.md says how.")
            return
        }
        let (plain, three) = (bare.eventsPerSecond / fastest.eventsPerSecond, watched.eventsPerSecond / fastest.eventsPerSecond)
        say("bare is \(fixed(plain)) times \(fastest.name), the fastest peer", target: "at least 5", isReached: plain >= 5)
        say("with three middlewares it is \(fixed(three)) times", target: "at least 2", isReached: three >= 2)
    }

    private func say(_ finding: String, target: String, isReached: Bool) {
        print("  \(isReached ? "reached" : "MISSED"): \(finding); the target is \(target)")
    }
}
