import Basics
public import TrackingEvents

/// Takes one person's lines out of finished files, and leaves everybody else's.
///
/// Each finished segment with such a line is replaced by one without, under a new name. Then the old name becomes a tombstone: an empty
/// sealed file of 28 bytes. A device whose reply was lost sends the old file again; without the tombstone it would put the person back and double
/// everybody else. It is the one exception to "a published name never changes its content".
///
/// **Killed anywhere,** nothing of anybody else is lost, and a second run finishes: the new name follows from the old one, so that it finds what the
/// first has published. Uploaders send neither of the two until then. The file `.forgetting` keeps which anonymous ids are meant.
///
/// Beside the files that a reader finds in a folder it treats those in `.sent/` and `.pending/`, and removes sidecars and what lies in
/// `.quarantine/`. What still waits in a writer's ring is left, and the ring is named. A `dropped` line with the reason `forgotten` explains the numbers that are missing in sessions that others share.
public struct EventForgetting: Sendable {
    static let markerName = ".forgetting"

    private let ids: [String]
    private let paths: [String]
    private let clock: WallClock
    private let random: SeededRandom
    private let fileSystem: any FileSystem

    /// - Parameters:
    ///   - ids: of the person; anonymous ids that became one of them are found.
    ///   - paths: files, folders and patterns, as of an ``EventFileReader``; never standard input.
    ///   - clock: stamps `dropped` lines.
    ///   - random: the source of these lines' ids.
    ///   - fileSystem: what the files are read from and written on.
    public init(
        _ ids: [String], in paths: [String], clock: WallClock = .system, random: SeededRandom = SeededRandom(),
        fileSystem: any FileSystem = PosixFileSystem()
    ) {
        self.ids = ids
        self.paths = paths
        self.clock = clock
        self.random = random
        self.fileSystem = fileSystem
    }

    /// Does it.
    ///
    /// - Parameter progress: receives the progress of the reading that finds the person's lines.
    /// - Throws: ``EventFileReadError`` and ``FileSystemError``. Files that were replaced before stay replaced; run it again.
    /// - Complexity: O(bytes) time. Memory: about 16 bytes for each session.
    public func run(
        threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> ForgetResult {
        var places = try ForgetFolders(paths, on: fileSystem)
        defer { places.release() }
        let reader = try EventFileReader(paths: places.files, fileSystem: fileSystem)
        let person = try PersonIDs(ids, known: try places.knownOwners(), in: reader, threads: threads)
        let survey = try ForgetSurvey(of: person, in: reader, threads: threads, progress: progress)
        var report = ForgetResult(ids: person)
        report.files = places.rings.compactMap { path, contents in
            let lines = contents.map { person.lines(in: $0) }
            return lines == 0 ? nil : .init(path: path, lines: lines ?? 0, outcome: .refused(.open))
        }
        var random = random
        var touched: [String] = []
        var isMarked = false
        for (place, file) in reader.files.enumerated() {
            let found = survey.files[place]
            let path = FilePath(file.path)
            guard let folder = places.folder(of: path) else {
                if found.lines > 0 { report.files.append(.init(path: path.text, lines: found.lines, outcome: .refused(.inUse))) }
                continue
            }
            let rewriting = ForgetRewriting(folder: folder.folder)
            // A run that was killed has published the others' lines already.
            let isHalfDone = try rewriting.isHalfDone(path.name)
            if found.lines == 0 && !isHalfDone { continue }
            let outcome: ForgetResult.Outcome
            if let refusal = refusal(path, found, folder, isHalfDone: isHalfDone) {
                outcome = .refused(refusal)
            } else {
                if !isMarked { try places.mark(person) }
                isMarked = true
                outcome = try rewriting.replace(
                    path, found, of: person, isHalfDone: isHalfDone, note: survey.note(of: place), clock: clock, random: &random)
                if !touched.contains(path.folder) { touched.append(path.folder) }
            }
            report.files.append(.init(path: path.text, lines: found.lines, outcome: outcome))
        }
        for folder in touched { report.quarantined += try places.emptyQuarantine(of: folder) }
        // What had to be left may hold anonymous ids that only the mark knows by now.
        if report.isComplete { try places.finish(person) }
        return report
    }

    private func refusal(
        _ path: FilePath, _ found: ForgetSurvey.File, _ place: ForgetFolders.Place, isHalfDone: Bool
    ) -> ForgetResult.Refusal? {
        guard let (_, state) = SegmentName.parse(path.name) else { return .notASegment }
        if state != .sealed { return .open }
        if !found.isSound { return .damaged }
        // A run that was killed had found the upload answered, and nothing of the file has left since. Where the journal says otherwise, a power
        // loss has brought back an older one.
        if isHalfDone || place.isInside { return nil }
        return place.lock.unanswered.contains(path.name) ? .mayHaveArrived : nil
    }
}
