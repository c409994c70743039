import Foundation
import Testing

/// What holds for every device, network and kill: see ``Fleet``.
///
/// `LOOPTRAIL_FLEET_SEEDS` seeds run from `LOOPTRAIL_FLEET_FIRST` on. `LOOPTRAIL_FLEET_SEED` replays one and prints it.
@Suite struct FleetTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// Seeds that once found a fault when nothing was suspended.
    private static let foundAwake: [UInt64] = [
        891, 974, 2258, 2313, 2442, 3438, 4641, 5913, 6924, 10025, 12921, 13231, 15371, 16919, 17524, 20299, 20875, 27624, 28633, 30155,
        44909, 55934, 71092, 75270, 78713, 88959, 103194, 222563,
    ]

    @Test func `every returned event is at the collector once, on its device, or counted as dropped`() async {
        let seeds: [UInt64]
        let replayed = Self.environment["LOOPTRAIL_FLEET_SEED"].flatMap(UInt64.init)
        if let replayed {
            seeds = [replayed]
        } else {
            let first = Self.environment["LOOPTRAIL_FLEET_FIRST"].flatMap(UInt64.init) ?? 0
            seeds = Self.foundAwake + (first..<first + (Self.environment["LOOPTRAIL_FLEET_SEEDS"].flatMap(UInt64.init) ?? 80))
        }
        var all = Fleet.Summary()
        for seed in seeds {
            let suspends = Self.environment["LOOPTRAIL_FLEET_AWAKE"] == nil && !Self.foundAwake.contains(seed)
            let run = Fleet.run(seed: seed, suspends: suspends, log: replayed == nil ? nil : { print($0) })
            for broken in run.broken.prefix(10) { Issue.record(Comment(rawValue: broken)) }
            all = all + run
            await Task.yield()
        }
        if Self.environment.keys.contains(where: { $0.hasPrefix("LOOPTRAIL_FLEET") }) {
            all.broken = all.broken.isEmpty ? [] : ["\(all.broken.count) in all"]
            print(all)
        }
        if seeds.count >= 100 {
            // Runs without these faults would prove nothing.
            #expect(all.arrived > 20 * seeds.count && all.kills > seeds.count && all.lostReplies > 4 * seeds.count)
            #expect(all.redirects > seeds.count && all.repeated > seeds.count && all.calmRuns < seeds.count / 20)
            #expect(all.dropped > 0 && all.erased > 0 && all.forgotten > 0 && all.suspensions > 2 * seeds.count)
            #if DEBUG
            // Only debug builds can kill a process between two stores into a ring.
            #expect(all.killsInStores > seeds.count / 2)
            #endif
        }
    }

    @Test func `a seed replays exactly`() {
        for seed in UInt64(0)..<4 { #expect(Fleet.run(seed: seed) == Fleet.run(seed: seed)) }
    }

    @Test(arguments: [
        Fleet.Faults.lostAnswersCount, .namesRepeat, .serverStoresTwice, .disksLie, .redirectsAreFollowed, .nothingIsBuried,
        .tombstonesAreHidden, .locksAreOpen, .ringsForget, .suspensionsLetNothingGo, .erasuresLeaveNoNumber,
    ])
    func `a fault that is planted is found`(fault: Fleet.Faults) {
        let found = (0..<200).first { !Fleet.run(seed: $0, faults: fault).broken.isEmpty }
        #expect(found != nil)
    }
}
