import Basics
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// A ring in plain memory, as a process that was killed leaves it in its file.
final class TrialRing {
    let ring: Ring
    let memory: UnsafeMutableRawPointer
    let bytes: Int

    /// - Parameter touched: how many bytes of the area are allocated, if a test touches only some; `nil` for all.
    init(areaBytes: Int = 1_024, reserve: Int = 0, touched: Int? = nil) {
        bytes = RingHead.bytes + areaBytes
        memory = .allocate(byteCount: RingHead.bytes + (touched ?? areaBytes), alignment: 4096)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: RingHead.bytes + (touched ?? areaBytes))
        ring = Ring(
            Ring.File(
                name: ".events-000000000000000a.ring", descriptor: FileDescriptor(rawValue: -1), fileSystem: PosixFileSystem(), inode: 7,
                bytes: bytes), memory: memory, contents: .events, bootID: 3, key: 0xABCD, highestNumber: 0, reserve: reserve)
    }

    deinit { memory.deallocate() }

    var image: [UInt8] { Array(UnsafeRawBufferPointer(start: memory, count: bytes)) }

    func append(_ text: String, reportsDrops: Bool = false) {
        Array(text.utf8).withUnsafeBytes { ring.append($0, reportsDrops: reportsDrops) }
    }

    func contents(inode: UInt64 = 7) throws(RingContents.Fault) -> RingContents { try Self.contents(image, inode: inode) }

    static func contents(_ image: [UInt8], inode: UInt64 = 7) throws(RingContents.Fault) -> RingContents {
        try image.withUnsafeBytes { bytes in Result { () throws(RingContents.Fault) in try RingContents(bytes, inode: inode) } }.get()
    }

    func lines() throws -> [String] { try contents().texts }

    /// A segment of the ring's writer.
    static func segment(_ number: Int64, offset: Int64) -> SegmentWriter.Active {
        SegmentWriter.Active(
            name: SegmentName(stem: "events", writer: 0xA, number: number), file: FileDescriptor(rawValue: -1), inode: 5, createdAt: 0,
            offset: offset)
    }
}

extension WriterTestFolder {
    /// Writes a copied ring's own inode into its head, so that it counts as the original: after a power loss a disk keeps its inodes.
    func makeOriginal(_ name: String) throws {
        let path = path + "/" + name
        let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
        guard var head = try bytes(name).withUnsafeBytes({ RingHead($0) }) else { return }
        head.inode = inode
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: RingHead.proved(head.identityWords).withUnsafeBytes { Data($0) })
        try handle.close()
    }
}

extension RingContents {
    var texts: [String] { lines.map { String(decoding: bytes(of: $0), as: UTF8.self) } }
}

/// Compares the lines that wait in a ring with a plain array of lines.
@Suite struct RingTests {
    @Test func `the file holds the waiting lines in order, whatever is appended, written, dropped and moved`() throws {
        var random = SeededRandom(seed: 4_711)
        for round in 1...60 {
            let size = [256, 1_024, 4_096][round % 3]
            var trial = TrialRing(areaBytes: size)
            let lane = RingLane()
            #expect(lane.move(to: trial.ring))
            let (line, raw) = (ByteBuffer(capacity: 16), ByteBuffer(capacity: 16))
            var (waiting, number): ([String], Int) = ([], 0)
            for step in 1...400 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...4:
                    number += 1
                    line.removeAll()
                    line.append(("\(number) " + String(repeating: "x", count: Int.random(in: 0...60, using: &random)) + "\n").utf8)
                    if !lane.ring.hasRoom(for: line.count, isMeta: false) { continue }
                    lane.append(line, isNote: false, at: 0)
                    waiting.append(line.text)
                case 5, 6:
                    let end = Bool.random(using: &random) || waiting.isEmpty ? lane.ring.end : lane.ring.frame(at: lane.ring.start).end
                    raw.removeAll()
                    guard let member = lane.nextMember(before: end, to: raw) else { continue }
                    #expect(raw.text == waiting.prefix(member.lines).joined(), "round \(round), step \(step)")
                    trial.ring.note(end: member.end, in: TrialRing.segment(1, offset: 0))
                    lane.written(
                        LineRing.InHand(lane: .main, end: member.end, lines: member.lines, bytes: raw.count, notes: 0), at: 0)
                    waiting.removeFirst(member.lines)
                case 7:
                    // The thread is writing the first line.
                    if waiting.count < 2 { continue }
                    raw.removeAll()
                    var end = lane.ring.start
                    while lane.ring.frame(at: end).isDropped { end = lane.ring.frame(at: end).end }
                    #expect(lane.dropOldest(.overflow, behind: lane.ring.frame(at: end).end) != nil)
                    lane.failed(at: 0)
                    waiting.remove(at: 1)
                case 8:
                    if waiting.isEmpty { continue }
                    #expect(lane.dropOldest(.overflow, behind: nil) != nil)
                    waiting.removeFirst()
                default:
                    #expect(lane.move(to: Ring()))
                    let next = TrialRing(areaBytes: size)
                    if lane.move(to: next.ring) { trial = next } else { _ = lane.move(to: trial.ring) }
                }
                #expect(try trial.lines() == waiting, "round \(round), step \(step)")
                #expect(lane.count == waiting.count && lane.byteCount == waiting.joined().utf8.count)
            }
        }
    }

    @Test func `a ring without a file grows, and lines keep their order`() {
        let (ring, line) = (Ring(), ByteBuffer(capacity: 16))
        for number in 1...5_000 {
            line.removeAll()
            line.append("line \(number)\n".utf8)
            ring.append(line.raw)
            if number % 3 == 0 { ring.release(upTo: ring.frame(at: ring.start).end) }
        }
        var (at, number) = (ring.start, 5_000 / 3)
        while at < ring.end {
            number += 1
            if String(decoding: ring.line(at: at), as: UTF8.self) != "line \(number)\n" { Issue.record("line \(number)") }
            at = ring.frame(at: at).end
        }
        #expect(number == 5_000)
    }

    @Test func `a line of any length is stored unchanged, also around the file's end`() throws {
        let trial = TrialRing(areaBytes: 1_024)
        for length in 1...400 {
            let line = String((1..<length).map { Character(UnicodeScalar(UInt8(33 + ($0 * 7 + length) % 90))) }) + "\n"
            trial.append(line)
            #expect(try trial.lines() == [line], "\(length) bytes")
            trial.ring.release(upTo: trial.ring.end)
        }
    }

    #if DEBUG
    /// Only debug builds call `beforeStore`.
    @Test(arguments: [false, true])
    func `an event that makes room for another is counted as dropped before it is removed`(isFirstInHand: Bool) throws {
        let trial = TrialRing()
        let (lane, line) = (RingLane(), ByteBuffer(capacity: 16))
        #expect(lane.move(to: trial.ring))
        for number in 1...3 {
            line.removeAll()
            line.append("{\"number\":\(number)}\n".utf8)
            lane.append(line, isNote: false, at: 0)
        }
        var seen: [Int] = []
        trial.ring.beforeStore = {
            // A process that is killed here leaves this.
            guard let left = try? trial.contents() else { return }
            seen.append(left.lines.count + left.unreportedDrops.count)
        }
        #expect(lane.dropOldest(.overflow, behind: isFirstInHand ? trial.ring.frame(at: 0).end : nil) != nil)
        trial.ring.beforeStore?()
        #expect(seen.count > 2 && seen.allSatisfy { $0 >= 3 } && seen.last == 3)
    }

    @Test func `a grant that is killed before any store counts drops once`() throws {
        var ring = LineRing(WriterContext(options: EventFileWriterOptions()), random: SeededRandom(seed: 1))
        let rings = [TrialRing(), TrialRing()]
        ring.attach(rings[0].ring, to: .main)
        ring.attach(rings[1].ring, to: .pending)
        ring.consent = .pending
        _ = ring.admit(testEvent(1), mayWait: false)
        for _ in 1...3 { ring.drop(.overflow, session: "s1", lane: .pending) }
        var seen: [Int] = []
        let look: () -> Void = {
            // A reader refuses a head that is just being stored, too.
            guard let contents = try? rings.map({ try $0.contents() }) else { return }
            let reported = contents.flatMap(\.texts).compactMap { try? notes("dropped", in: [$0]).first?["count"] as? Int }
            seen.append(contents.reduce(0) { $0 + $1.unreportedDrops.count } + reported.reduce(0, +))
        }
        for trial in rings { trial.ring.beforeStore = look }
        ring.grant(isFirst: true)
        look()
        #expect(seen.count > 5 && seen.allSatisfy { $0 == 3 }, "\(seen)")
    }
    #endif

    @Test func `a batch takes full members only, and lines that come meanwhile fill up the rest`() throws {
        var ring = LineRing(WriterContext(options: EventFileWriterOptions()), random: SeededRandom(seed: 1))
        func admit(bytes: Int) {
            let before = ring.main.byteCount
            while ring.main.byteCount - before < bytes { _ = ring.admit(testEvent(1), mayWait: false) }
        }
        func sizes() throws -> [Int] {
            let taken = ring.take(.main, reportingDrops: true, granted: false)
            let end = try #require(taken)
            var sizes: [Int] = []
            while let member = ring.nextMember(of: .main, before: end, fullMembersOnly: true) {
                sizes.append(member.raw.count)
                ring.written(bytes: 1)
                if sizes.count == 1 { admit(bytes: BGZF.rawLimit) }
            }
            return sizes
        }
        admit(bytes: BGZF.rawLimit * 3 / 2)
        for _ in 1...2 {
            let sizes = try sizes()
            #expect(!sizes.isEmpty && sizes.allSatisfy { $0 > BGZF.rawLimit - 1_000 }, "\(sizes)")
            #expect(ring.main.byteCount > BGZF.rawLimit, "the rest is for the next batch")
        }
    }

    @Test func `an empty ring begins again at its front`() throws {
        let trial = TrialRing()
        for number in 1...100 {
            trial.append("line \(number)\n")
            #expect(try trial.lines() == ["line \(number)\n"])
            trial.ring.release(upTo: trial.ring.end)
            trial.ring.restart()
        }
        #expect(trial.image[(RingHead.bytes + 32)...].allSatisfy { $0 == 0 }, "one frame's bytes are all that was ever touched")
    }

    @Test func `however often a ring runs empty, its head can be read`() throws {
        let trial = TrialRing(areaBytes: 1 << 46, touched: 1_024)
        for number in 1...9 {
            trial.append("line \(number)\n")
            let head = RingHead(UnsafeRawBufferPointer(start: trial.memory, count: RingHead.bytes))
            #expect(head?.end == trial.ring.end, "line \(number)")
            trial.ring.release(upTo: trial.ring.end)
            trial.ring.restart()
        }
    }

    /// A lane with lines that wait, in a ring.
    private func lane(_ lines: [String], in ring: Ring) -> RingLane {
        let (lane, line) = (RingLane(), ByteBuffer(capacity: 16))
        #expect(lane.move(to: ring))
        for text in lines {
            line.removeAll()
            line.append((text + "\n").utf8)
            lane.append(line, isNote: false, at: 0)
        }
        return lane
    }

    @Test func `a line that was dropped after those in the thread's hand frees its place when the write fails`() throws {
        let trial = TrialRing()
        let lane = lane((1...4).map(String.init), in: trial.ring)
        #expect(lane.dropOldest(.storage, behind: trial.ring.frame(at: 0).end) != nil)
        lane.failed(at: 0)
        for left in [["3\n", "4\n"], ["4\n"], []] {
            #expect(lane.dropOldest(.storage, behind: nil) != nil)
            #expect(try trial.lines() == left)
        }
        #expect(trial.ring.start == trial.ring.end)
        #expect(lane.dropOldest(.storage, behind: nil) == nil)
    }

    @Test func `a line that is partly in the thread's hand is not dropped as the oldest`() throws {
        let long = String(repeating: "x", count: BGZF.rawLimit + 100)
        let lane = lane([long, "short"], in: Ring())
        let raw = ByteBuffer(capacity: BGZF.rawLimit)
        let part = try #require(lane.nextMember(before: lane.ring.end, to: raw))
        #expect(part.lines == 0 && raw.count == BGZF.rawLimit)
        #expect(lane.dropOldest(.overflow, behind: part.end) != nil)
        lane.written(LineRing.InHand(lane: .main, end: part.end, lines: 0, bytes: raw.count, notes: 0), at: 0)
        raw.removeAll()
        let rest = try #require(lane.nextMember(before: lane.ring.end, to: raw))
        #expect(rest.lines == 1 && raw.text == String(repeating: "x", count: 100) + "\n")
        #expect(lane.dropOldest(.overflow, behind: nil) == nil, "nothing else waits")
    }

    @Test(arguments: [OverflowPolicy.dropOldest, .block(upTo: .seconds(3_600))])
    func `a line too long for an empty ring file is dropped without waiting and costs no other line`(policy: OverflowPolicy) throws {
        var options = EventFileWriterOptions()
        (options.contents, options.overflow) = (.log, policy)
        var ring = LineRing(WriterContext(options: options), random: SeededRandom(seed: 1))
        let trial = TrialRing()
        ring.attach(trial.ring, to: .main)
        for length in [10, 20, 2_000, 30] {
            var isKept = false
            #expect(ring.admit(line: String(repeating: "x", count: length), mayWait: true, isKept: &isKept))
            #expect(isKept == (length < 1_000), "\(length)")
        }
        #expect(try trial.lines().map(\.utf8.count) == [11, 21, 31])
    }

    @Test func `a meta line that stays at the front of a full ring file costs no event behind it`() throws {
        var options = EventFileWriterOptions()
        options.overflow = .dropOldest
        var ring = LineRing(WriterContext(options: options), random: SeededRandom(seed: 1))
        let trial = TrialRing()
        ring.attach(trial.ring, to: .main)
        _ = ring.admit(testEvent(1, text: String(repeating: "x", count: 200), kind: .meta), mayWait: false)
        for number in 2...20 { _ = ring.admit(testEvent(number), mayWait: false) }
        let kept = try sequences(trial.lines())
        #expect(kept.count > 2 && kept == Array(1...kept.count))
        // Once the thread has written, there is room.
        let taken = ring.take(.main, reportingDrops: false, granted: false)
        let end = try #require(taken)
        _ = ring.nextMember(of: .main, before: end, fullMembersOnly: false)
        ring.written(bytes: 1)
        _ = ring.admit(testEvent(21), mayWait: false)
        #expect(try sequences(trial.lines()) == [21])
    }

    @Test func `a file without room for a line says so`() throws {
        let trial = TrialRing(areaBytes: 64)
        trial.append(String(repeating: "a", count: 40))
        #expect(!trial.ring.hasRoom(for: 40, isMeta: false) && !trial.ring.hasRoom(for: 70, isMeta: false))
        #expect(trial.ring.hasRoom(for: 8, isMeta: false))
    }

    @Test func `some room is for meta lines alone`() {
        let trial = TrialRing(areaBytes: 256, reserve: 64)
        for _ in 1...8 { trial.append("0123456789abcdef") }
        #expect(!trial.ring.hasRoom(for: 16, isMeta: false) && trial.ring.hasRoom(for: 16, isMeta: true))
    }

    @Test func `a member is under way until its lines are released`() throws {
        let trial = TrialRing()
        for number in 1...4 { trial.append("\(number)\n") }
        #expect(try trial.contents().memberUnderWay == nil)
        trial.ring.note(number: 9)
        var end = 0
        for _ in 1...3 { end = trial.ring.frame(at: end).end }
        trial.ring.note(end: end, in: TrialRing.segment(9, offset: 1_234))
        let member = try #require(trial.contents().memberUnderWay)
        #expect(member.writer == 0xA && member.number == 9 && member.inode == 5 && member.offset == 1_234)
        #expect(try trial.contents().lines.filter { $0.end <= member.end }.count == 3)
        trial.ring.release(upTo: end)
        #expect(try trial.contents().memberUnderWay == nil && trial.contents().head.highestNumber == 9)
    }

    @Test func `drops are counted until a line that reports them is there, and never twice`() throws {
        let trial = TrialRing()
        trial.ring.add(2, .overflow)
        trial.ring.add(1, .tooLarge)
        trial.ring.add(5, .closed)
        #expect(try trial.contents().head.unreported == [2, 0, 1], "drops after closing are not reported")
        trial.append("dropped 3\n", reportsDrops: true)
        #expect(try trial.contents().unreportedDrops.isEmpty)
        // Killed before the store that makes the line count.
        var image = trial.image
        withUnsafeBytes(of: RingHead.checked(0, key: 0xABCD).littleEndian) {
            image.replaceSubrange(RingHead.Offset.end..<RingHead.Offset.end + 8, with: $0)
        }
        #expect(try TrialRing.contents(image).head.unreported == [2, 0, 1])
        trial.ring.add(7, .storage)
        #expect(try trial.contents().head.unreported == [0, 7, 0])
        trial.ring.removeAll()
        #expect(try trial.contents().unreportedDrops.isEmpty)
    }

    @Test func `drops are counted by session as far as there is room, from one report to the next`() throws {
        let trial = TrialRing()
        for session in 1...70 { for _ in 1...2 { trial.ring.add(.overflow, session: "session-\(session)") } }
        trial.ring.add(.storage, session: nil)
        trial.ring.add(.storage, session: String(repeating: "x", count: 41))
        func sessions() throws -> [String: TrackingValue] {
            let all = try trial.contents().unreportedDrops.properties(sessions: 120)["sessions"]
            guard case .object(let sessions)? = all else { return [:] }
            return Dictionary(uniqueKeysWithValues: sessions.entries.map { ($0.key, $0.value) })
        }
        let first = try sessions()
        #expect(first.count == 57 && first["session-1"] == .int(2) && first["session-56"] == .int(2))
        #expect(first["_other"] == .int(30), "28 of sessions without an entry, one of a long session, and one without a session")
        trial.append("dropped 142\n", reportsDrops: true)
        #expect(try trial.contents().unreportedDrops.isEmpty)
        trial.ring.add(.overflow, session: "session-2")
        #expect(try sessions() == ["session-2": .int(1)])
    }

    @Test func `truncating removes the lines after a position and the drops`() throws {
        let trial = TrialRing()
        for number in 1...2 { trial.append("\(number)\n") }
        let end = trial.ring.end
        for number in 3...5 { trial.append("\(number)\n") }
        trial.ring.add(1, .overflow)
        trial.ring.truncate(to: end)
        #expect(try trial.lines() == ["1\n", "2\n"] && trial.contents().unreportedDrops.isEmpty)
        trial.append("6\n")
        #expect(try trial.lines() == ["1\n", "2\n", "6\n"])
    }
}
