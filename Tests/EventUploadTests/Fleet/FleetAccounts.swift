import TrackingEvents

@testable import EventFiles

/// Checks what became of every event once a run has ended.
///
/// Every event whose `record()` returned is at the collector exactly once, or on its device, or counted by a `dropped` line: by session, or
/// under `_other`. The lines must count neither fewer nor more events than are missing, except where ``SimulatedDevice/mayCountTwice`` or a
/// kill between two stores excuses more.
///
/// No event leaves without consent, and none is left on its device after it was erased.
struct FleetAccounts {
    private let devices: [SimulatedDevice]
    private let network: SimulatedNetwork
    private var times: [SimulatedDevice.Event: Int] = [:]
    private var collected: [Int: SegmentReading] = [:]
    private var broken: [String] = []

    init(_ devices: [SimulatedDevice], _ network: SimulatedNetwork) {
        self.devices = devices
        self.network = network
        let collector = network.collector
        broken = network.broken + collector.broken
        for (name, bytes) in collector.files.sorted(by: { $0.key < $1.key }) where SegmentName.parse(name)?.state == .sealed {
            collected[collector.senders[name] ?? -1, default: SegmentReading()].add(bytes)
        }
        for reading in collected.values {
            for event in reading.events { times[event, default: 0] += 1 }
            if reading.tornBytes > 0 { broken.append("\(reading.tornBytes) torn bytes arrived") }
        }
        for (event, count) in times where count > 1 { broken.append("\(event) arrived \(count) times") }
        for event in collector.forgotten where times[event] != nil { broken.append("\(event) was forgotten and is at the collector") }
    }

    mutating func settle(_ summary: inout Fleet.Summary) {
        for device in devices { account(for: device, &summary) }
        summary.broken += broken
    }

    private mutating func account(for device: SimulatedDevice, _ summary: inout Fleet.Summary) {
        let left = device.left()
        broken += device.broken
        summary.trace ^= device.disk.trace
        summary.events += device.entries.count
        summary.excused += device.excused
        summary.killsInStores += device.killsInStores
        let onDevice = Set(left.events)
        if onDevice.count < left.events.count { broken.append("an event is on the device twice") }
        /// By session: events that a `dropped` line must name, and others that it may name.
        var missing: [String: Int] = [:]
        var perhaps: [String: Int] = [:]
        for (event, entry) in device.entries {
            let isThere = times[event] != nil || onDevice.contains(event)
            if times[event] != nil { summary.arrived += 1 }
            if times[event] != nil, onDevice.contains(event) { broken.append("\(event) arrived and is still on the device") }
            switch entry.fate {
            case .kept, .waiting:
                if isThere { continue }
                device.disk.log?("missing: \(event)")
                if isForgotten(event) { perhaps[event.session, default: 0] += 1 } else { missing[event.session, default: 0] += 1 }
            case .gone:
                summary.erased += 1
                if onDevice.contains(event) { broken.append("\(event) is gone and on the device") }
                perhaps[event.session, default: 0] += 1
            case .forgotten:
                summary.forgotten += 1
                if isThere {
                    broken.append("\(event) was forgotten on the device and is \(times[event] == nil ? "there" : "at the collector")")
                }
                perhaps[event.session, default: 0] += 1
            case .unsure:
                summary.unsure += 1
                if !isThere { perhaps[event.session, default: 0] += 1 }
            }
        }
        if let log = device.disk.log {
            for (name, bytes) in network.collector.files.sorted(by: { $0.key < $1.key })
            where network.collector.senders[name] == device.number {
                let reading = SegmentReading(bytes)
                log("at the collector: \(name): \(reading.events) \(reading.drops)")
            }
        }
        device.disk.log?("on device \(device.number): \(left.events) \(left.drops)")
        summary.dropped += missing.values.reduce(0, +)
        compare(missing, perhaps, drops(of: device, left), device)
    }

    private func isForgotten(_ event: SimulatedDevice.Event) -> Bool {
        network.collector.forgotten.contains(event) || network.collector.perhapsForgotten.contains(event)
    }

    /// A device's `dropped` lines that count: one about each segment, none about a segment at the collector, as in `looptrail check`.
    private mutating func drops(of device: SimulatedDevice, _ left: SegmentReading) -> [SegmentReading.Drops] {
        let all = (collected[device.number]?.drops ?? []) + left.drops
        if Set(all.map(\.id)).count < all.count { broken.append("a `dropped` line is there twice") }
        // After a kill between the line and the removal, the next expiry writes a second line about the same segment.
        var segments: Set<String> = []
        return all.filter { $0.segment.map { network.collector.files[$0] == nil && segments.insert($0).inserted } ?? true }
    }

    private mutating func compare(
        _ missing: [String: Int], _ perhaps: [String: Int], _ drops: [SegmentReading.Drops], _ device: SimulatedDevice
    ) {
        var named: [String: Int] = [:]
        for (session, count) in drops.flatMap(\.sessions) { named[session, default: 0] += count }
        let others = named.removeValue(forKey: SessionTally.others) ?? 0
        var (least, most) = (0, 0)
        for session in Set(missing.keys).union(perhaps.keys).union(named.keys).sorted() {
            let (gone, maybe, told) = (missing[session] ?? 0, perhaps[session] ?? 0, named[session] ?? 0)
            if told > gone + maybe, !device.mayCountTwice {
                broken.append("\(told) events of \(session) are named as dropped, and \(gone) are missing")
            }
            least += max(0, gone - told)
            most += max(0, gone + maybe - told)
        }
        if others < least {
            broken.append("\(least) events are missing that no line names, and \(others) are counted without a name: \(missing), \(named)")
        }
        if others > most + device.killsInStores, !device.mayCountTwice {
            broken.append("\(others) events are counted as dropped without a name, and \(most) are missing")
        }
    }
}
