import Basics
import TrackingEvents

/// Takes over a killed writer's ring: lines that are in no segment go to the end of the segment under way, or into one of their own.
///
/// It may be killed at any point. The next recovery begins anew, and finds by the ring's head whether the lines are in a segment already.
/// So nobody takes segments of that writer away before its ring is gone (``EventFolder/writersWithOrphanedRing(_:)``).
struct RingRecovery {
    let folder: EventFolder
    let main: EventFolder?
    let options: EventFileWriterOptions
    let clock: WallClock
    let name: SegmentName
    let file: FileDescriptor
    let status: FileStatus

    /// - Returns: what was recovered; `nil` if the ring was empty, an earlier recovery took it over, or repaired segments hold its lines.
    func run() throws(FileSystemError) -> RecoveryResult.Orphan? {
        let contents = try RingContents.bytes(of: file, status, on: folder.fileSystem)
        guard let bytes = contents else { return try quarantine(bytes: status.bytes) }
        let ring: RingContents
        do throws(RingContents.Fault) {
            ring = try RingContents(bytes.raw, inode: status.inode)
        } catch {
            if error == .unused { return try remove(nil) }
            return try quarantine(bytes: Int64((bytes.bytes.lastIndex { $0 != 0 } ?? 0) + 1))
        }
        if ring.lines.isEmpty && ring.unreportedDrops.isEmpty { return try remove(nil) }
        var orphan: RecoveryResult.Orphan?
        let into = ring.head.recoveredInto.map { segment($0, ring).sealed }
        if try into.map({ name throws(FileSystemError) in try folder.status(name) == nil }) ?? true { orphan = try recover(ring) }
        return try remove(orphan)
    }

    private func segment(_ segment: RingHead.Segment, _ ring: RingContents) -> SegmentName {
        SegmentName(stem: name.stem, writer: segment.writer, number: segment.number, contents: ring.head.contents)
    }

    private func remove(_ orphan: RecoveryResult.Orphan?) throws(FileSystemError) -> RecoveryResult.Orphan? {
        try folder.remove(name.ring)
        try folder.synchronize()
        return orphan
    }

    private func quarantine(bytes: Int64) throws(FileSystemError) -> RecoveryResult.Orphan? {
        var orphan = RecoveryResult.Orphan(name: name.ring, outcome: .empty)
        orphan.tornBytes = bytes
        orphan.quarantinedBytes = try Quarantine(folder: folder, limit: options.quarantineBytes)
            .keep([ByteRun(offset: 0, bytes: bytes)], of: file, named: String(name.ring.dropFirst()))
        return try remove(orphan)
    }

    private func recover(_ ring: RingContents) throws(FileSystemError) -> RecoveryResult.Orphan? {
        if let name = try segmentUnderWay(of: ring) {
            guard let (file, status) = try folder.takeOver(name.open) else { throw .isLocked(name.open) }
            defer { folder.fileSystem.close(file) }
            return try OrphanRecovery(folder: folder, options: options, name: name)
                .run(file, bytes: status.bytes, adding: try addition(of: ring, to: file, status, name))
        }
        let number = try folder.nextNumber(of: ring.head.contents, after: ring.head.highestNumber, above: main)
        let new = segment(.init(writer: UInt64(name.writer, radix: 16) ?? 0, number: number), ring)
        var addition = OrphanRecovery.Addition()
        let known = try linesInRepairedSegments(of: ring)
        append(ring, to: &addition) { known.isEmpty || !known.contains(Self.print(of: ring.bytes(of: $0))) }
        if addition.lines.count == 0 { return nil }
        addition.willPublish = { () throws(FileSystemError) in try noteRecovered(into: new) }
        try OrphanRecovery(folder: folder, options: options, name: new).publish(addition)
        var orphan = RecoveryResult.Orphan(name: name.ring, outcome: .adopted)
        (orphan.lines, orphan.ringLines) = (addition.count, addition.count)
        return orphan
    }

    /// The segment to which the ring's lines were being written; `nil` if no unfinished one is there.
    private func segmentUnderWay(of ring: RingContents) throws(FileSystemError) -> SegmentName? {
        let noted = ring.head.member.map { segment(.init(writer: $0.writer, number: $0.number), ring) }
        // After a power loss the noted segment may be stale. If the ring was made after a failed write, none is noted.
        for segment in [noted].compactMap(\.self) + (try own(.open, ring)) {
            if try folder.status(segment.sealed) == nil, try folder.status(segment.open)?.kind == .regular { return segment }
        }
        return nil
    }

    /// The segments of the ring's writer in a state, the highest number first.
    private func own(_ state: SegmentName.State, _ ring: RingContents) throws(FileSystemError) -> [SegmentName] {
        let found = try folder.names().compactMap { SegmentName.parse($0) }.filter { $0.state == state }.map(\.name)
        let own = found.filter { $0.stem == name.stem && $0.writer == name.writer && $0.contents == ring.head.contents }
        return own.sorted { $0.number > $1.number }
    }

    /// The lines of the writer's sealed segments that a repair in place may have sealed. Empty for logs, which are not repaired.
    private func linesInRepairedSegments(of ring: RingContents) throws(FileSystemError) -> Set<Fingerprint> {
        var known: Set<Fingerprint> = []
        // After a power loss the head may have the number of an earlier segment.
        for segment in try own(.sealed, ring) where ring.head.contents == .events && segment.number >= ring.head.highestNumber {
            guard try folder.status(segment.sealed)?.kind == .regular, let file = try folder.openIfThere(segment.sealed) else { continue }
            defer { folder.fileSystem.close(file) }
            let scan = SegmentScan(file, size: try folder.status(of: file, named: segment.sealed).bytes, on: folder.fileSystem)
            _ = try scan.forEachMember { LineBatch.forEachLine(of: UnsafeRawBufferPointer($0)) { known.insert(.of($0)) } }
        }
        return known
    }

    private func addition(
        of ring: RingContents, to file: FileDescriptor, _ status: FileStatus, _ noted: SegmentName
    ) throws(FileSystemError) -> OrphanRecovery.Addition {
        var addition = OrphanRecovery.Addition()
        addition.willPublish = { () throws(FileSystemError) in try noteRecovered(into: noted) }
        let boot = folder.fileSystem.bootID
        guard boot != 0, boot == ring.head.bootID, status.inode == ring.head.member?.inode else {
            // Nobody knows which writes reached the storage. Lines in the segment already are found by text; those of a log by their order.
            let isLog = ring.head.contents == .log
            let first = isLog ? try offset(ofFirstLineIn: ring, in: file, status) : 0
            var (known, ordered): (Set<Fingerprint>, [Fingerprint]) = ([], [])
            addition.visit = { offset, batch in
                if offset < first { return }
                LineBatch.forEachLine(of: UnsafeRawBufferPointer(batch)) { line in
                    if isLog { ordered.append(.of(line)) } else { known.insert(.of(line)) }
                }
            }
            addition.finish = { addition in
                let same = zip(ordered, ring.lines).prefix { $0 == Self.print(of: ring.bytes(of: $1)) }.count
                let written = same > 0 ? ring.lines[same - 1].end : ring.head.start
                append(ring, to: &addition) { $0.end > written && !known.contains(Self.print(of: ring.bytes(of: $0))) }
            }
            return addition
        }
        var written = ring.head.start
        if let member = ring.memberUnderWay {
            if try end(of: member, in: file) != nil { written = member.end } else { addition.limit = member.offset }
        }
        append(ring, to: &addition) { $0.end > written }
        return addition
    }

    /// The fingerprint of a line without its line feed.
    private static func print(of line: UnsafeBufferPointer<UInt8>) -> Fingerprint {
        .of(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line).dropLast()))
    }

    /// The first offset in a segment at which the first line of the ring may stand.
    private func offset(ofFirstLineIn ring: RingContents, in file: FileDescriptor, _ status: FileStatus) throws(FileSystemError) -> Int64 {
        // A segment that is not noted was begun after the note: that line may stand anywhere in it.
        guard let member = ring.head.member, member.inode == status.inode else { return 0 }
        return member.end > ring.head.start ? member.offset : try end(of: member, in: file) ?? member.offset
    }

    /// Where a member ends in the file; `nil` if it is not whole there.
    private func end(of member: RingHead.Member, in file: FileDescriptor) throws(FileSystemError) -> Int64? {
        let bytes = ByteBuffer(capacity: BGZF.memberLimit)
        try folder.fileSystem.append(of: file, at: member.offset, to: bytes)
        guard case .member(let header) = BGZF.head(of: bytes.raw), header.memberBytes <= bytes.count else { return nil }
        let raw = ByteBuffer(capacity: BGZF.memberLimit)
        let isWhole = BGZFInflater().appendContents(of: bytes.raw, header: header, to: raw) == .whole
        return isWhole ? member.offset + Int64(header.memberBytes) : nil
    }

    /// Appends the wanted lines of the ring, each event once, and a `dropped` line for drops that no line reports.
    private func append(_ ring: RingContents, to addition: inout OrphanRecovery.Addition, where isWanted: (RingContents.Line) -> Bool) {
        var seen: Set<Fingerprint> = []
        for line in ring.lines where isWanted(line) {
            let bytes = ring.bytes(of: line)
            // A writer that was killed while it reordered its lines left some twice. Two lines of a log may be equal, and stay.
            if ring.head.contents == .events, !seen.insert(Self.print(of: bytes)).inserted { continue }
            addition.lines.append(bytes)
            addition.count += 1
        }
        if ring.unreportedDrops.isEmpty { return }
        // The random part of the id is the same at each attempt.
        var random = SeededRandom(seed: ring.head.key ^ UInt64(ring.head.end))
        let line = ring.unreportedDrops.line(time: clock.milliseconds, random: &random)
        withExtendedLifetime(line) { addition.lines.append(line.bytes) }
    }

    /// Notes in the ring, synced, the segment that takes its lines. They are in that segment once its published name is there.
    private func noteRecovered(into segment: SegmentName) throws(FileSystemError) {
        let bytes = ByteBuffer(capacity: 24)
        for word in RingHead.proved([UInt64(segment.writer, radix: 16) ?? 0, UInt64(segment.number)]) { bytes.append(littleEndian: word) }
        try folder.fileSystem.writeAll(bytes.raw, to: file, at: Int64(RingHead.Offset.recovered))
        try folder.synchronize(file, named: name.ring)
    }
}
