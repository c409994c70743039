import TrackingEvents

@testable import EventFiles

/// A simulation of devices and a collector. One seed decides everything that happens, every fault included.
///
/// At the end of a run all faults are lifted, and every event must be accounted for (``FleetAccounts``).
struct Fleet {
    /// Faults that are planted to show that the simulation finds them.
    struct Faults: OptionSet {
        let rawValue: Int
        /// A lost answer is taken for success.
        static let lostAnswersCount = Faults(rawValue: 1)
        /// All writers draw the same digits for the names of their files.
        static let namesRepeat = Faults(rawValue: 2)
        /// The server stores a segment that it already has, under another name.
        static let serverStoresTwice = Faults(rawValue: 4)
        /// A sync does nothing.
        static let disksLie = Faults(rawValue: 8)
        /// The transport follows redirects by itself, with an empty body.
        static let redirectsAreFollowed = Faults(rawValue: 16)
        /// Forgetting a person at the collector removes the old file and leaves no tombstone.
        static let nothingIsBuried = Faults(rawValue: 32)
        /// The server states another length for a tombstone, so that the uploader does not recognise it.
        static let tombstonesAreHidden = Faults(rawValue: 64)
        /// A lock keeps nobody out.
        static let locksAreOpen = Faults(rawValue: 128)
        /// A kill loses what the process had stored in mapped files.
        static let ringsForget = Faults(rawValue: 256)
        /// A suspended process keeps its locks, open files and mapped memory.
        static let suspensionsLetNothingGo = Faults(rawValue: 512)
        /// An erasure leaves no number, so a process that was suspended does not learn of it.
        static let erasuresLeaveNoNumber = Faults(rawValue: 1024)
    }

    /// What a run was like.
    struct Summary: Equatable {
        var events = 0
        var arrived = 0
        var dropped = 0
        var erased = 0
        var forgotten = 0
        /// Events for which nothing was promised when the run ended.
        var unsure = 0
        /// Events that a kill cost because they were in memory alone.
        var excused = 0
        var kills = 0
        var killsInStores = 0
        var suspensions = 0
        var lostReplies = 0
        var redirects = 0
        var repeated = 0
        /// Runs with fewer than two lost answers.
        var calmRuns = 0
        /// A hash of all that was done: equal for equal runs.
        var trace: UInt64 = 0
        var broken: [String] = []

        static func + (a: Summary, b: Summary) -> Summary {
            var sum = a
            for count in [
                \Summary.events, \.arrived, \.dropped, \.erased, \.forgotten, \.unsure, \.excused, \.kills, \.killsInStores,
                \.suspensions, \.lostReplies, \.redirects, \.repeated, \.calmRuns,
            ] {
                sum[keyPath: count] += b[keyPath: count]
            }
            sum.trace ^= b.trace
            sum.broken += b.broken
            return sum
        }
    }

    private var random: SeededRandom
    private let clock = SimulatedClock()
    private let network: SimulatedNetwork
    private let devices: [SimulatedDevice]
    private let losesPower: Bool
    /// Draws which process to suspend or resume; `nil` suspends none. Its own generator keeps the runs of older seeds.
    private var suspending: SeededRandom?
    private var suspensions = 0
    private var log: ((String) -> Void)?

    /// - Parameters:
    ///   - suspends: whether processes are suspended, too.
    ///   - log: called with a line for everything that is done.
    static func run(seed: UInt64, faults: Faults = [], suspends: Bool = true, log: ((String) -> Void)? = nil) -> Summary {
        var suspending = SeededRandom(seed: ~seed)
        let ring: EventFileWriterOptions.RingFile =
            !suspends || faults.contains(.ringsForget)
            ? .automatic : [.automatic, .written(every: .milliseconds(2)), .writtenAtOnce][Int.random(in: 0..<3, using: &suspending)]
        var fleet = Fleet(seed: seed, faults: faults, ring: ring)
        if suspends { fleet.suspending = suspending }
        fleet.log = log
        fleet.network.collector.log = log
        for device in fleet.devices { device.disk.log = log }
        fleet.live()
        return fleet.end(seed)
    }

    private init(seed: UInt64, faults: Faults, ring: EventFileWriterOptions.RingFile) {
        var random = SeededRandom(seed: seed)
        let collector = SimulatedCollector(random: SeededRandom(seed: random.next()))
        collector.storesTwice = faults.contains(.serverStoresTwice)
        collector.buriesNothing = faults.contains(.nothingIsBuried)
        let network = SimulatedNetwork(collector, random: SeededRandom(seed: random.next()))
        network.followsRedirects = faults.contains(.redirectsAreFollowed)
        network.hidesTombstones = faults.contains(.tombstonesAreHidden)
        let clock = clock
        devices = (0..<2).map { number in
            SimulatedDevice(number, clock: clock, network: network, faults: faults, ring: ring, random: SeededRandom(seed: random.next()))
        }
        self.network = network
        losesPower = Int.random(in: 0..<3, using: &random) == 0
        self.random = random
    }

    private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: The life

    private mutating func live() {
        for _ in 0..<draw(30..<80) {
            let number = draw(0..<devices.count)
            let device = devices[number]
            if !device.hasWriter, draw(0..<4) > 0 { device.start(killAt: draw(0..<10) == 0 ? draw(1..<40) : nil) }
            let action = draw(0..<100)
            log?("device \(number), processes: \(device.apps.map(\.number)), action \(action), weather: \(network.weather)")
            suspendOrResume(on: device)
            act(action, on: device)
            if draw(0..<4) > 0 { device.turn(atMost: draw(0..<5)) }
        }
    }

    private mutating func act(_ action: Int, on device: SimulatedDevice) {
        switch action {
        case 0..<30: for _ in 0..<draw(1..<8) { device.track() }
        case 30..<34: device.flush(.processKill)
        case 34..<38:
            if losesPower, draw(0..<4) == 0 {
                // A new process's flush also covers what earlier ones left. Where the app asks for consent, only one process may write.
                device.anyApp.map(device.kill)
                if !device.hasWriter || !device.asks { device.start() }
            }
            device.flush(.durable)
            if losesPower, draw(0..<4) == 0 { device.losePower() }
        case 38..<46: device.rotate()
        case 46..<58: upload(from: device)
        case 58..<66:
            clock.advance([.milliseconds(10), .seconds(1), .seconds(20), .seconds(600), .seconds(4_000)][draw(0..<5)])
            for device in devices { for app in device.apps { app.turn(atMost: 10) } }
            for device in devices { device.noteDeaths() }
        case 66..<68: device.anyApp.map(device.kill)
        case 68..<73: if let process = device.anyApp?.process { process.killAt = process.calls + draw(1..<60) }
        case 73..<77: if let process = device.anyApp?.process { process.killAtStore = process.stores + draw(1..<40) }
        case 77..<79: if losesPower { device.losePower() } else { device.anyApp.map(device.close) }
        case 79: device.anyApp.map(device.close)
        // Another uploader, or another writer if the app asks for no consent. With consent, two writers might get different decisions.
        case 80..<84: if device.apps.count < 3 { device.start(writes: !device.asks && draw(0..<2) == 0) }
        case 84..<88: device.decide([.pending, .granted, .denied][draw(0..<3)])
        case 88: device.erase()
        case 89..<91: device.disk.capacity = draw(0..<2) == 0 ? nil : device.disk.used + draw(0..<2_000)
        case 91..<93: device.disk.failures = draw(0..<2) == 0 ? 0 : draw(1..<60)
        case 93: clock.setBack(draw(0..<devices.count), milliseconds: Int64(draw(-90_000_000..<90_000_000)))
        case 94..<96: network.weather = [.fine, .bad, .bad, .none][draw(0..<4)]
        case 96: network.deliverLate()
        case 97: network.collector.forget(person(), mayDie: true)
        default:
            for app in device.apps { device.close(app) }
            device.forget(person())
        }
    }

    private mutating func suspendOrResume(on device: SimulatedDevice) {
        guard var random = suspending else { return }
        defer { suspending = random }
        func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        let action = draw(0..<40)
        // Plan a kill between two calls.
        if action < 10, draw(0..<4) == 0, let process = device.anyApp?.process { process.killAt = process.calls + draw(1..<40) }
        switch action {
        case 0..<6:
            let awake = device.apps.filter { !$0.isSuspended }
            if awake.isEmpty { break }
            suspensions += 1
            device.suspend(awake[draw(0..<awake.count)])
        case 6..<10:
            let all = device.apps.filter(\.isSuspended)
            if !all.isEmpty { device.resume(all[draw(0..<all.count)]) }
        case 10:
            for app in device.apps where !app.isSuspended { device.suspend(app) }
            device.forget(["u", "v"][draw(0..<2)] + "\(device.number)", interruptAt: draw(0..<2) == 0 ? draw(1..<6) : nil)
        case 11: if device.apps.count < 3, !device.asks { device.start(startsSuspended: true) }
        default: break
        }
    }

    private mutating func person() -> String { ["u", "v"][draw(0..<2)] + "\(draw(0..<devices.count))" }

    private mutating func upload(from device: SimulatedDevice) {
        guard let app = device.anyApp else { return }
        if draw(0..<2) == 0 { app.beginRound() }
        for _ in 0..<draw(1..<10) where app.isAlive { app.upload() }
        device.noteDeaths()
    }

    // MARK: The end

    private mutating func end(_ seed: UInt64) -> Summary {
        network.weather = .bad
        for device in devices { device.storm() }
        log?("all is made well")
        network.weather = .fine
        network.collector.finishForgetting()
        network.deliverLate(all: true)
        for device in devices { device.heal() }
        var summary = Summary(
            kills: devices.reduce(0) { $0 + $1.kills }, lostReplies: network.lostReplies, redirects: network.redirects,
            repeated: network.repeated)
        summary.suspensions = suspensions
        summary.calmRuns = network.lostReplies < 2 ? 1 : 0
        var accounts = FleetAccounts(devices, network)
        accounts.settle(&summary)
        summary.broken = summary.broken.sorted().map { "seed \(seed): \($0)" }
        return summary
    }
}
