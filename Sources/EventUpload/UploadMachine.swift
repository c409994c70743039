import Basics
package import EventFiles
package import TrackingEvents

/// The uploader without tasks and timers: it says what to send or how long to wait, and takes the result. A simulation can drive it.
///
/// One segment at a time: ``next()``, then ``ended(_:isCalledBack:)``, then ``next()`` again.
package struct UploadMachine {
    package enum Step: Sendable, Equatable {
        case send(SealedSegment)
        /// A segment could not be read, or the journal could not be written. Go on with ``UploadMachine/next()``.
        case failed(UploadOutcome)
        /// There is nothing to send for this many nanoseconds, or, if `nil`, until something changes. The folder's lock is free.
        case wait(nanoseconds: Int64?)
        case busy(folder: String)
    }

    private let path: String
    private let fileSystem: any FileSystem
    private let keepSent: Int64
    private let clock: MonotonicClock
    private let wallClock: WallClock
    private let mayLook: @Sendable () -> Bool
    private let mayUpload: @Sendable () -> Bool
    private var folder: EventFolder?
    private var lock: UploadLock?
    private var queue: UploadQueue
    /// Whether the queue has the segments of the folder; `false` makes the next step look into the folder.
    private var hasLooked = false
    private let sendsSummaries: Bool
    /// The segment whose file or summary is being sent, and whether the segment may have arrived before.
    private var underWay: (name: SegmentName, bytes: Int64, mayBeThere: Bool)?
    /// Segments that the destination has, and whose summary is still to be sent.
    private var beforeSummary: Set<SegmentName> = []
    /// Segments that the destination has, and that could not be moved to `.sent/` yet.
    private var delivered: Set<SegmentName> = []
    /// When this uploader first saw a segment in `.sent/`, in nanoseconds of `clock`.
    private var sentSince: [SegmentName: Int64] = [:]
    private var summary = UploadSummary()
    package private(set) var statistics = UploadStatistics()

    /// Measures pauses by `clock` and ages by `wallClock`. Asks `mayUpload` before each segment whether it may be sent. If not, counts the
    /// waiting segments, unless `mayLook` forbids opening the folder.
    package init(
        folder path: String, fileSystem: any FileSystem, keepSent: Duration, clock: MonotonicClock, wallClock: WallClock,
        random: SeededRandom, sendsSummaries: Bool = false, mayLook: @escaping @Sendable () -> Bool = { true },
        mayUpload: @escaping @Sendable () -> Bool
    ) {
        (self.path, self.fileSystem, self.sendsSummaries) = (path, fileSystem, sendsSummaries)
        (self.clock, self.wallClock, self.keepSent) = (clock, wallClock, keepSent.clampedNanoseconds)
        (self.mayLook, self.mayUpload) = (mayLook, mayUpload)
        queue = UploadQueue(random: random)
    }

    // MARK: What to do next

    /// - Throws: ``UploadError/folder(_:)`` if the folder cannot be used. Then the lock is free, and the next call begins anew.
    package mutating func next() throws(UploadError) -> Step {
        if !mayUpload() {
            // Needs no lock, because nothing is sent. If the folder cannot be used, the next call that may send throws.
            if mayLook(), let found = try? (folder ?? EventFolder.open(path, on: fileSystem, making: false)).segmentsToSend() {
                queue.found(found)
                countWaiting()
            }
            close()
            return .wait(nanoseconds: nil)
        }
        do throws(EventFileError) {
            let opened = if let folder { folder } else { try EventFolder.open(path, on: fileSystem, making: false) }
            folder = opened
            return try storing { () throws(FileSystemError) in try step(in: opened) }
        } catch {
            close()
            throw .folder(error)
        }
    }

    private mutating func step(in folder: EventFolder) throws(FileSystemError) -> Step {
        if lock == nil {
            guard case .taken(let taken) = try UploadLock.take(in: folder, making: true) else { return .busy(folder: path) }
            lock = taken
            hasLooked = false
        }
        // Asked only once the lock is held: an erasure makes its mark first, and takes the lock after that.
        if try folder.isBeingErased {
            release()
            return .wait(nanoseconds: nil)
        }
        // New segments may have come while others were sent, so the folder is looked at again before waiting.
        var isFresh = false
        while true {
            if !hasLooked {
                try look(into: folder)
                isFresh = true
            }
            let waits: Int64?
            switch queue.next(at: clock.nanoseconds) {
            case .send(let name):
                if let step = prepare(name, in: folder) { return step }
                continue
            case .wait(let time): waits = max(1, time.subtractingClamped(clock.nanoseconds))
            case .nothing: waits = nil
            }
            if isFresh {
                release()
                return .wait(nanoseconds: waits)
            }
            hasLooked = false
        }
    }

    /// - Returns: `nil` if nothing of the segment is to be sent any more.
    private mutating func prepare(_ name: SegmentName, in folder: EventFolder) -> Step? {
        guard let segment = queue.segment(name), let lock else { return nil }
        let isSummary = beforeSummary.contains(name)
        let fileName = isSummary ? name.summary : name.sealed
        do throws(FileSystemError) {
            let status = isSummary ? try folder.status(fileName) : segment.status
            var known = isSummary ? nil : queue[digestOf: name]
            if known == nil, let status, status.kind == .regular { known = try folder.sha256(ofFileNamed: fileName, status) }
            guard let status, let digest = known else {
                if isSummary { finish(name) } else { queue.remove(name) }
                return nil
            }
            if !isSummary { queue[digestOf: name] = digest }
            // The segment stays in the journal until it is moved, so the journal need not name its summary.
            let mayBeThere = lock.unanswered.contains(name.sealed)
            try lock.begin(name.sealed)
            underWay = (name, status.bytes, mayBeThere)
            return .send(SealedSegment(fileName, in: folder, bytes: status.bytes, digest))
        } catch {
            return .failed(failed(name, .folder(.storage(error)), after: nil))
        }
    }

    /// Finds the segments in the folder, and removes those that have been in `.sent/` long enough.
    private mutating func look(into folder: EventFolder) throws(FileSystemError) {
        // Segments that could not be moved before are moved first, so that they are not sent again.
        for name in delivered.sorted(by: { $0.sealed < $1.sealed }) { try move(name, in: folder) }
        let segments = try folder.segmentsToSend()
        queue.found(segments)
        beforeSummary.formIntersection(segments.map(\.name))
        hasLooked = true
        for name in (lock?.unanswered ?? []).subtracting(segments.lazy.map(\.name.sealed)).sorted() {
            // Somebody has removed the segment, so its line in the journal can end.
            if try folder.status(name) == nil { try lock?.end(name) }
        }
        let now = clock.nanoseconds
        var since: [SegmentName: Int64] = [:]
        for name in try folder.sentSegments() {
            let start = sentSince[name] ?? now
            if now.subtractingClamped(start) >= keepSent { try folder.removeSent(name) } else { since[name] = start }
        }
        sentSince = since
        countWaiting()
    }

    // MARK: What became of it

    /// Takes the destination's answer to the last ``Step/send(_:)``, a segment or a summary. A summary that is refused is left out.
    package mutating func answered(_ answer: UploadAnswer) -> UploadOutcome {
        guard let (name, bytes, mayBeThere) = underWay.take() else { preconditionFailure("an answer without a request") }
        let isSummary = beforeSummary.contains(name)
        let result: UploadOutcome.Result
        switch answer {
        case .later(let error, let after): result = failed(name, error, after: after).result
        case .stored:
            result = .sent
            if !isSummary {
                summary.sent += 1
                statistics.sent += 1
                statistics.sentBytes += bytes
            }
            if !isSummary, sendsSummaries, (try? folder?.status(name.summary))?.kind == .regular {
                beforeSummary.insert(name)
                queue.wentThrough(name)
            } else {
                finish(name)
            }
        case .refused(let error), .unconfirmed(let error):
            summary.error = summary.error ?? error
            let isUnconfirmed = !isSummary && answer == .unconfirmed(error)
            result = isUnconfirmed ? .unconfirmed(error) : .refused(error)
            if isSummary {
                finish(name)
                break
            }
            queue.refused(name, unconfirmed: isUnconfirmed)
            countWaiting()
            if isUnconfirmed {
                // The segment stays in the journal, whether this note can be written or not.
                try? lock?.leaveUnconfirmed(name.sealed)
            } else if !mayBeThere {
                // The server did not take the segment of this request, and no earlier request can have brought it.
                try? lock?.end(name.sealed)
            }
        }
        return UploadOutcome(segment: isSummary ? name.summary : name.sealed, bytes: bytes, result: result)
    }

    /// The destination has the segment, and its summary if that is sent.
    private mutating func finish(_ name: SegmentName) {
        beforeSummary.remove(name)
        queue.succeeded(name)
        countWaiting()
        delivered.insert(name)
        // If this fails, the next look into the folder tries again, and reports the failure.
        if let folder { try? move(name, in: folder) }
    }

    /// Takes the end of the last ``Step/send(_:)``. An error means "again later"; if the request was called back, it gives `nil`.
    package mutating func ended(_ result: Result<UploadAnswer, any Error>, isCalledBack: Bool) -> UploadOutcome? {
        switch result {
        case .success(let answer): return answered(answer)
        case .failure(let error):
            if !isCalledBack { return answered(.later(error as? UploadError ?? .transport("\(error)"), after: nil)) }
            // Nobody knows whether the segment arrived, so it stays in the journal.
            underWay = nil
            release()
            return nil
        }
    }

    private mutating func failed(_ name: SegmentName, _ error: UploadError, after: Duration?) -> UploadOutcome {
        let bytes = queue.segment(name)?.status.bytes ?? 0
        let pause = queue.failed(name, at: clock.nanoseconds, asked: after?.clampedNanoseconds)
        summary.error = summary.error ?? error
        return UploadOutcome(segment: name.sealed, bytes: bytes, result: .waiting(error, retryIn: .nanoseconds(pause)))
    }

    /// Moves a segment that the destination has to `.sent/`, and removes it there unless it is to be kept.
    private mutating func move(_ name: SegmentName, in folder: EventFolder) throws(FileSystemError) {
        try folder.moveToSent(name)
        delivered.remove(name)
        try lock?.end(name.sealed)
        if keepSent <= 0 { try folder.removeSent(name) } else { sentSince[name] = clock.nanoseconds }
    }

    private mutating func countWaiting() {
        statistics.waiting = queue.waitingCount
        statistics.waitingBytes = queue.waitingBytes
        statistics.refused = queue.refusedCount
        statistics.unconfirmed = queue.unconfirmedCount
        statistics.oldestWaiting = queue.oldest.map { .milliseconds(max(0, wallClock.milliseconds.subtractingClamped($0))) }
    }

    // MARK: Beginnings and ends

    package mutating func restart() { queue.restart() }

    package mutating func beginRound() {
        summary = UploadSummary()
        hasLooked = false
        queue.beginRound()
    }

    package mutating func endRound() -> UploadSummary {
        queue.endRound()
        countWaiting()
        (summary.waiting, summary.refused, summary.unconfirmed) = (statistics.waiting, statistics.refused, statistics.unconfirmed)
        return summary
    }

    package mutating func release() {
        lock.take()?.release()
        hasLooked = false
    }

    package mutating func close() {
        release()
        folder.take()?.close()
    }
}
