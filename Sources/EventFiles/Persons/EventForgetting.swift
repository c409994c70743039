/// Removes one person's lines from sealed files, and leaves everybody else's.
///
/// A sealed segment with such lines is replaced by one without them, under a new name. Then the old name becomes a tombstone: an empty
/// sealed file of 28 bytes. A device that did not get the server's answer sends the old file again. Without the tombstone that would bring
/// the person back, and everybody else's lines twice. The tombstone is the one exception to "a published name never changes its content".
///
/// **Killed anywhere,** a run loses nothing of anybody else, and a second run finishes it: it finds what the first published, because the
/// new name follows from the old one. Uploaders send neither file until then. The file `.forgetting` keeps the anonymous ids.
///
/// **No line of the person stays under a folder** when the result is complete. An id may stay in properties of others' events, which are
/// not searched, and a session in `dropped` lines. Segments in `.sent/` and `.pending/` are treated in the same way. Files that may hold
/// anybody's lines are removed: `.quarantine/`, `NAME.damaged`, unfinished files, and summaries of segments that are gone or were replaced.
/// A `session_started` line of the next person no longer names a session that was the person's alone. The result names what cannot be
/// changed or read, with the reason: files and rings of living writers, damaged files, links, logs and others that hold an id. Other hidden
/// folders are not read.
///
/// A `dropped` line with the reason `forgotten` explains the numbers that are missing in sessions that others share.
public struct EventForgetting: Sendable {
    private let ids: [String]
    private let paths: [String]
    private let fileSystem: any FileSystem
    private var writer: EventFileWriter?

    /// For the folder of a writer that is at work in this process. ``EventFileWriter/suspend()`` ends a run and waits until its locks are
    /// given back. The run throws ``EventFileError/suspended``, and another run finishes the work. The writer's `erase()` ends a run, too.
    public init(_ ids: [String], beside writer: EventFileWriter) {
        self.init(ids, in: [writer.folderPath], fileSystem: writer.fileSystem)
        self.writer = writer
    }

    /// - Parameters:
    ///   - ids: the person's ids; the anonymous ids that became one of them are found in the files.
    ///   - paths: files, folders and patterns, as of an ``EventFileReader``; never standard input. Beside a file that is named, or fits a
    ///     pattern, only files that were made of it are treated.
    ///   - fileSystem: where the files are.
    public init(_ ids: [String], in paths: [String], fileSystem: any FileSystem = PosixFileSystem()) {
        (self.ids, self.paths, self.fileSystem) = (ids, paths, fileSystem)
    }

    /// Removes the person's lines. `progress` is called for the reading that finds them.
    ///
    /// - Throws: ``EventFileReadError``, also if there is nothing to look at; ``FileSystemError``; ``EventFileError`` beside a writer
    ///   that is suspended or erases. Files that were replaced before stay replaced: run it again.
    /// - Complexity: O(bytes) time. Memory: about 350 bytes for each anonymous id that became a user, about 40 for each session.
    public func run(threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil) throws -> ForgetResult {
        try run(changes: true, threads: threads, progress: progress)
    }

    /// What ``run(threads:progress:)`` would do: each file with the outcome that it would have. Changes nothing.
    ///
    /// - Throws: what ``run(threads:progress:)`` throws.
    public func preview(threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil) throws -> ForgetResult {
        try run(changes: false, threads: threads, progress: progress)
    }

    private func run(changes: Bool, threads: Int, progress: ((ReadProgress) -> Void)?) throws -> ForgetResult {
        let work = InterruptibleWork()
        return try work.run(beside: writer) { try run(changes: changes, threads: threads, progress: progress, goOn: work.goOn) }
    }

    /// - Parameter goOn: called between two steps; what it throws ends the run there.
    func run(changes: Bool, threads: Int, progress: ((ReadProgress) -> Void)?, goOn: () throws -> Void) throws -> ForgetResult {
        try goOn()
        var folders = try ForgetFolders(paths, changes: changes, on: fileSystem)
        defer { folders.release() }
        if folders.isEmpty { throw EventFileReadError.noEventFiles(lookedAt: paths) }
        let reader = EventFileReader(folders.files, on: fileSystem)
        let known = try folders.known()
        let person = try PersonIDs(ids, known: known.owners, in: reader, threads: threads, goOn: goOn)
        let survey = try ForgetSurvey(of: person, in: reader, known: known.sessions, threads: threads, progress: progress, goOn: goOn)
        let gone = PersonIDs(person.ids + known.ids, owners: known.owners.merging(person.owners) { $1 })
        let traces = PersonTraces(of: person)
        var result = ForgetResult(ids: person)
        result.files = try rings(in: folders, person, traces)
        for path in folders.linked { result.files.append(.init(path: path, lines: 0, outcome: .refused(.linked))) }
        for path in folders.inUse { result.files.append(.init(path: path, lines: 0, outcome: .refused(.inUse))) }
        for folder in folders.all {
            let leftovers = try folder.leftovers(removing: changes)
            result.quarantined += leftovers.found
            for path in leftovers.inUse { result.files.append(.init(path: path, lines: 0, outcome: .refused(.open))) }
        }
        var isMarked = false
        for (index, file) in reader.files.enumerated() {
            let path = FilePath(file.path)
            let found = survey.files[index]
            guard let folder = folders.folder(of: path) else {
                // An uploader is at work on its folder, which the result names as a whole.
                let isNamed = folders.inUse.contains { path.folder == $0 || path.folder.hasPrefix($0 + "/") }
                if isNamed || !survey.isMeant(index) { continue }
                result.files.append(.init(path: path.text, lines: found.lines, outcome: .refused(.changed)))
                continue
            }
            let rewriting = ForgetRewriting(folder: folder.folder, path: path, found: found, note: survey.note(of: index))
            let isHalfDone = try ForgetRewriting.isHalfDone(path.name, in: folder.folder)
            if !survey.isMeant(index) && !isHalfDone { continue }
            try goOn()
            let outcome: ForgetResult.Outcome
            if let refusal = try refusal(path, found, folder, isHalfDone: isHalfDone) {
                outcome = .refused(refusal)
            } else if isHalfDone, try !rewriting.isPublished(without: gone) {
                outcome = .refused(.incomplete)
            } else if changes {
                if !isMarked { try folders.mark(person, sessions: survey.namedSessions) }
                isMarked = true
                outcome = try ForgetFolders.naming(folder.folder) { try rewriting.replace(person, sessions: survey.namedSessions) }
            } else {
                outcome = try rewriting.outcome
            }
            let meant = outcome == .refused(.incomplete) ? rewriting.published ?? path : path
            result.files.append(.init(path: meant.text, lines: found.lines, outcome: outcome))
        }
        // A damaged file that a killed run made must not be repaired: the old file still has all.
        let made = Set(result.files.lazy.filter { $0.outcome == .refused(.incomplete) }.map { Array($0.path.utf8) })
        result.files.removeAll { $0.outcome == .refused(.damaged) && made.contains(Array($0.path.utf8)) }
        if changes { for folder in folders.all { try folder.summarizeTombstones() } }
        for folder in folders.all { result.files += try folder.others(holding: traces, goOn: goOn) }
        for path in folders.bare { result.files += try folders.open(bare: path)?.others(holding: traces, goOn: goOn) ?? [] }
        // If a file was left, the mark stays: perhaps it alone still knows an anonymous id that stands in the file.
        if changes, result.isComplete { try folders.finish(person) }
        return result
    }

    /// The rings that hold lines of the person, or bytes of such lines that a segment holds by now.
    private func rings(in folders: ForgetFolders, _ person: PersonIDs, _ traces: PersonTraces) throws -> [ForgetResult.File] {
        try folders.rings.compactMap { path, contents in
            let lines = contents.map { person.lines(in: $0, traces) }
            if lines == 0, try !traces.areQuoted(inFileAt: path, on: fileSystem) { return nil }
            return .init(path: path, lines: lines ?? 0, outcome: .refused(.open))
        }
    }

    private func refusal(
        _ path: FilePath, _ found: ForgetSurvey.File, _ folder: ForgetFolders.Folder, isHalfDone: Bool
    ) throws(FileSystemError) -> ForgetResult.Refusal? {
        guard let status = try folder.folder.status(path.name) else { return .changed }
        guard let (_, state) = SegmentName.parse(path.name) else { return found.isReadable ? .notASegment : .damaged }
        if state != .sealed { return .open }
        if try folder.isLinked(status) { return .linked }
        // The killed run had found the file sound and its upload answered. What says otherwise now came after it, or before a power loss.
        if isHalfDone { return nil }
        if !found.isSound { return .damaged }
        if folder.isInside { return nil }
        return folder.lock?.unanswered.contains(path.name) ?? false ? .mayHaveArrived : nil
    }
}
