import TrackingEvents

@testable import EventFiles

/// Devices and a collector, from one seed: everything that happens, and every fault, follows from it.
///
/// After a run all is made well again, and everything must be accounted for.
struct Fleet {
    /// Faults that are planted to show that the simulation finds them.
    struct Faults: OptionSet {
        let rawValue: Int
        /// A lost answer is taken for success.
        static let lostAnswersCount = Faults(rawValue: 1)
        /// Writers draw the same digits again.
        static let namesRepeat = Faults(rawValue: 2)
        /// The server stores what it has.
        static let serverStoresTwice = Faults(rawValue: 4)
        /// A sync does nothing.
        static let disksLie = Faults(rawValue: 8)
    }

    /// What a run was like.
    struct Summary: Equatable {
        var events = 0
        var arrived = 0
        var dropped = 0
        var erased = 0
        var kills = 0
        var lostReplies = 0
        /// What was done, in a number.
        var trace: UInt64 = 0
        var broken: [String] = []

        static func + (a: Summary, b: Summary) -> Summary {
            Summary(
                events: a.events + b.events, arrived: a.arrived + b.arrived, dropped: a.dropped + b.dropped, erased: a.erased + b.erased,
                kills: a.kills + b.kills, lostReplies: a.lostReplies + b.lostReplies, trace: a.trace ^ b.trace, broken: a.broken + b.broken)
        }
    }

    private var random: SeededRandom
    private let clock = SimulatedClock()
    private let network: SimulatedNetwork
    private let devices: [SimulatedDevice]
    private let losesPower: Bool

    private var log: ((String) -> Void)?

    /// - Parameter log: hears of everything that is done.
    static func run(seed: UInt64, faults: Faults = [], log: ((String) -> Void)? = nil) -> Summary {
        var fleet = Fleet(seed: seed, faults: faults)
        fleet.log = log
        for device in fleet.devices { device.disk.log = log }
        fleet.live()
        return fleet.end(seed)
    }

    private init(seed: UInt64, faults: Faults) {
        var random = SeededRandom(seed: seed)
        let network = SimulatedNetwork(random: SeededRandom(seed: random.next()))
        network.storesTwice = faults.contains(.serverStoresTwice)
        let clock = clock
        devices = (0..<2).map { number in
            SimulatedDevice(number, clock: clock, network: network, faults: faults, random: SeededRandom(seed: random.next()))
        }
        self.network = network
        losesPower = Int.random(in: 0..<3, using: &random) == 0
        self.random = random
    }

    private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func live() {
        for _ in 0..<draw(40..<120) {
            let number = draw(0..<devices.count)
            let device = devices[number]
            if !device.isRunning { device.start() }
            let action = draw(0..<100)
            log?("device \(number), running: \(device.isRunning), action \(action), weather: \(network.weather)")
            act(action, on: device)
            if draw(0..<4) > 0 { device.turn(atMost: draw(0..<5)) }
        }
    }

    private mutating func act(_ action: Int, on device: SimulatedDevice) {
        switch action {
        case 0..<34: for _ in 0..<draw(1..<8) { device.track() }
        case 34..<38: device.flush(.processKill)
        case 38..<42: device.flush(.durable)
        case 42..<48: device.ask(.rotate)
        case 48..<64: for _ in 0..<draw(1..<5) { device.upload() }
        case 64..<72:
            clock.advance([.milliseconds(10), .seconds(1), .seconds(20), .seconds(600), .seconds(4_000)][draw(0..<5)])
            for device in devices { device.turn(atMost: 10) }
        case 72..<75: device.kill()
        case 75..<80: device.disk.killAt = device.disk.calls + draw(1..<60)
        case 80..<82: if losesPower { device.losePower() } else { device.close() }
        case 82..<84: device.close()
        case 84..<88: device.decide([.pending, .granted, .denied][draw(0..<3)])
        case 88: device.erase()
        case 89..<92: device.disk.capacity = draw(0..<2) == 0 ? nil : device.disk.used + draw(0..<2_000)
        case 92..<94: device.disk.failures = draw(0..<2) == 0 ? 0 : draw(1..<60)
        case 94: clock.setBack(draw(0..<devices.count), milliseconds: Int64(draw(-90_000_000..<90_000_000)))
        case 95..<98: network.weather = SimulatedNetwork.Weather.allCases[draw(0..<3)]
        default: network.deliverLate()
        }
    }

    // MARK: The end

    private mutating func end(_ seed: UInt64) -> Summary {
        log?("all is made well")
        network.weather = .fine
        network.deliverLate(all: true)
        for device in devices { device.heal() }
        var collected = SegmentReading()
        for (_, bytes) in network.files.sorted(by: { $0.key < $1.key }) { collected.add(bytes) }
        var summary = Summary(kills: devices.reduce(0) { $0 + $1.kills }, lostReplies: network.lostReplies)
        var times: [SimulatedDevice.Event: Int] = [:]
        for event in collected.events { times[event, default: 0] += 1 }
        for (event, count) in times where count > 1 { summary.broken.append("\(event) arrived \(count) times") }
        if collected.tornBytes > 0 { summary.broken.append("\(collected.tornBytes) torn bytes arrived") }
        for device in devices { account(for: device, collected, times, &summary) }
        summary.broken = summary.broken.sorted().map { "seed \(seed): \($0)" }
        return summary
    }

    private func account(
        for device: SimulatedDevice, _ collected: SegmentReading, _ times: [SimulatedDevice.Event: Int], _ summary: inout Summary
    ) {
        let left = device.left()
        summary.broken += device.broken
        summary.trace ^= device.disk.trace
        summary.events += device.fates.count
        let onDevice = Set(left.events)
        if onDevice.count < left.events.count { summary.broken.append("an event is on the device twice") }
        var missing: [String: Int] = [:]
        for (event, fate) in device.fates {
            let isThere = times[event] != nil || onDevice.contains(event)
            if times[event] != nil { summary.arrived += 1 }
            switch fate {
            case .kept:
                // What was sent without an answer before consent was denied is not asked about any more.
                if device.consent != .denied, times[event] != nil, onDevice.contains(event) {
                    summary.broken.append("\(event) arrived and is still on the device")
                }
                if !isThere { missing[event.session, default: 0] += 1 }
            case .waiting: if !isThere { missing[event.session, default: 0] += 1 }
            case .gone:
                summary.erased += 1
                if onDevice.contains(event) { summary.broken.append("\(event) is gone and on the device") }
            case .unsure: break
            }
        }
        let sessions = Set(device.fates.keys.map(\.session))
        // Other devices' lines name other sessions; what has no name any more counts for all.
        let drops = (collected.drops + left.drops).filter { $0.segment.map { network.files[$0] == nil } ?? true }
        var named: [String: Int] = [:]
        for (session, count) in drops.flatMap(\.sessions) { named[session, default: 0] += count }
        for (session, count) in missing.sorted(by: { $0.key < $1.key }) where sessions.contains(session) {
            let owned = named[session, default: 0] + named["_other", default: 0]
            summary.dropped += count
            if count > owned { summary.broken.append("\(count) events of \(session) are missing, and \(owned) of them are owned up to") }
        }
    }
}
