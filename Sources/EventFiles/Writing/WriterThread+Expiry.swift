import Basics
import TrackingEvents

extension WriterThread {
    private static let expiryStep = 8
    /// A folder that is far beyond its limits must not keep the thread from writing.
    private static let mostAtSeal = 16

    /// Removes a few segments that are too old, after durably reporting what is lost with them. Between two calls the thread can write.
    func expireSome() throws(EventFileError) {
        for segments in underWay {
            let path = segments.folder.path
            guard let done = expiring[path] else { continue }
            expiryError = nil
            // Counted from when the folder was opened: if somebody sets the clock ahead, files of a minute ago are not old.
            let elapsed = context.clock.nanoseconds.subtractingClamped(opened.nanoseconds) / 1_000_000
            let now = min(context.wallClock.milliseconds, opened.milliseconds.addingClamped(elapsed))
            let expired = noting(try expiry(in: segments.folder).expired(now: now)) ?? []
            let left = expired.filter { !done.contains($0.name.sealed) }
            let (counted, isWritten) = try ownUp(to: left.prefix(Self.expiryStep), in: segments)
            if isWritten { try segments.synchronize() }
            if !counted.isEmpty || expiryError != nil { remove(counted, from: segments.folder) }
            if left.count <= Self.expiryStep { expiring[path] = nil }
        }
        let folders = underWay.map(\.folder.path)
        expiring = expiring.filter { folders.contains($0.key) }
    }

    /// Chooses what is beyond the limits, and writes what is lost with it into the segment to be sealed, or a new one. The rest goes later.
    ///
    /// Once for each seal: if the seal fails after that, the next attempt goes on with the same choice.
    func ownUp(in segments: SegmentWriter) throws(EventFileError) {
        if segments.doomed != nil || segments.isSealing { return }
        var doomed: [FileExpiry.Doomed] = []
        var seen: Set<String> = []
        var isGrown = true
        // A segment that only says what was lost must not push out the last one with events.
        let keepsNewest = segments.active == nil
        // Each segment is read whole, and a suspension is short of time: the system does not wait for the writer.
        let most = monitor.isSuspended ? 2 : Self.mostAtSeal
        expiryError = nil
        // Each line about a removed segment takes room, too, so the loop looks again for what is beyond the limits.
        while isGrown {
            let coming = segments.active == nil ? 0 : 1
            let bytes = Int64(coming * BGZF.endMember.count)
            let choice = noting(
                try expiry(in: segments.folder).doomed(coming: coming, comingBytes: bytes, keepsNewest: keepsNewest, stuck: stuck))
            let found = choice ?? []
            let counted: [FileExpiry.Doomed]
            // Segments that could not be removed or counted must not keep the others from going.
            let others = found.filter { !stuck.contains($0.name.sealed) }.prefix(most)
            let again = found.filter { stuck.contains($0.name.sealed) }.prefix(most)
            (counted, isGrown) = try ownUp(to: (others + again).prefix(most).filter { seen.insert($0.name.sealed).inserted }, in: segments)
            doomed += counted
        }
        segments.doomed = doomed
    }

    private func expiry(in folder: EventFolder) -> FileExpiry { FileExpiry(folder: folder, options: options) }

    /// The result of a look into a folder; `nil` if that fails, and ``expiryError`` holds the first error.
    private func noting<Result>(_ body: @autoclosure () throws(FileSystemError) -> Result) -> Result? {
        do throws(FileSystemError) { return try body() } catch { expiryError = expiryError ?? error }
        return nil
    }

    /// Writes what is lost with some segments. Returns those whose events could be counted, which may go, and whether it has written.
    private func ownUp(
        to doomed: some Sequence<FileExpiry.Doomed>, in segments: SegmentWriter
    ) throws(EventFileError) -> (counted: [FileExpiry.Doomed], isWritten: Bool) {
        var (counted, isWritten): ([FileExpiry.Doomed], Bool) = ([], false)
        for var segment in doomed {
            let contents = contents(of: segment, in: segments.folder)
            if let contents, try write(contents, to: segments) { isWritten = true }
            expiring[segments.folder.path]?.insert(segment.name.sealed)
            guard let contents else {
                stuck.insert(segment.name.sealed)
                continue
            }
            segment.events = contents.events
            counted.append(segment)
        }
        return (counted, isWritten)
    }

    /// What is lost with a segment; `nil` if it cannot be read. No events are lost with a segment that was sent, or with one of a log.
    private func contents(of segment: FileExpiry.Doomed, in folder: EventFolder) -> RemovedContents? {
        if segment.isSent || options.contents == .log { return RemovedContents(segment.name) }
        var contents = noting(try RemovedContents(of: segment.name, in: folder))
        contents?.isUnconfirmed = (try? UploadLock.unconfirmed(in: folder))?.contains(segment.name.sealed) ?? false
        return contents
    }

    /// Writes what is lost with a segment, in as few members as hold it. Says whether that was anything.
    private func write(_ contents: RemovedContents, to segments: SegmentWriter) throws(EventFileError) -> Bool {
        let lines = contents.lines(by: encoder, time: context.wallClock.milliseconds, random: &random)
        let lane = segments === main ? Lane.main : .pending
        let member = ByteBuffer(capacity: 1024)
        for (index, line) in lines.enumerated() {
            member.append(line)
            if index + 1 < lines.count, member.count + lines[index + 1].count <= BGZF.rawLimit { continue }
            let bytes = try segments.append(member.bytes, events: 0, head: segments.needsHead ? head(on: lane) : nil) { segment in
                monitor.withState { $0.ring.writes(to: segment, of: lane) }
                writeRings()
            }
            let notes = member.bytes.count { $0 == UInt8(ascii: "\n") }
            member.removeAll()
            monitor.withState { $0.ring.statistics.bytes += Int64(bytes) }
            monitor.withState { $0.ring.statistics.notes += notes }
        }
        return !lines.isEmpty
    }

    /// Removes the chosen segments, once the lines about them are safe.
    func remove(_ doomed: [FileExpiry.Doomed], from folder: EventFolder) {
        var first = expiryError.take()
        // A summary that is made while its segment is removed would stay alone.
        if !doomed.isEmpty { summaries?.hold() }
        defer { if !doomed.isEmpty { summaries?.goOn() } }
        for segment in doomed {
            do throws(FileSystemError) {
                let isRemoved = try expiry(in: folder).remove(segment)
                stuck.remove(segment.name.sealed)
                if isRemoved, !segment.isSent {
                    monitor.withState { state in
                        state.ring.statistics.removedSegments += 1
                        state.ring.statistics.removedEvents += segment.events
                    }
                }
            } catch {
                // One file that cannot be removed must not keep the younger ones from going.
                stuck.insert(segment.name.sealed)
                first = first ?? error
            }
        }
        // The next rotation tries again. Only the first failure is reported.
        if first == nil { overfullFolders.remove(folder.path) }
        if let first, overfullFolders.insert(folder.path).inserted { context.onError?(.storage(first)) }
    }
}
