/// Files beside the segments that may hold anybody's lines: unfinished files, copies of damaged ones, the quarantine, and stale summaries.
extension ForgetFolders.Folder {
    /// The name of the event file that a leftover belongs to, without `.open`; `nil` for any other file.
    static func segment(ofLeftover name: String) -> String? {
        if let (segment, state) = SegmentName.parse(name) {
            switch state {
            case .temporary, .summary: return segment.sealed
            case .sealed, .open, .ring: return nil
            }
        }
        let hidden = name.isHiddenName ? name.droppingLastBytes(".repair") ?? name.droppingLastBytes("\(SegmentSummary.ending).tmp") : nil
        let file = hidden.map { String(decoding: $0.utf8.dropFirst(), as: UTF8.self) } ?? RepairOutput.name(ofDamaged: name)
        // The ending alone is no proof: if the rest is no name of an event file, somebody else may have made the file.
        guard let file, InputListing.isEventFile(file) else { return nil }
        return file.droppingLastBytes(".open") ?? file
    }

    /// The event file whose summary has this name: a segment or, since `index` takes any `.ndjson.gz` file, another event file.
    private static func file(ofSummary name: String) -> String? {
        guard !name.isHiddenName, let file = name.droppingLastBytes(SegmentSummary.ending) else { return nil }
        return InputListing.isEventFile(file) ? file : nil
    }

    private enum Standing { case fits, stale, foreign }

    /// `fits`: the summary is of the file beside it. `stale`: that file is gone or was replaced. `foreign`: all else. `nil`: no summary.
    private func standing(ofSummary name: String) -> Standing? {
        guard let file = Self.file(ofSummary: name) else { return nil }
        do throws(SegmentSummary.Fault) {
            return try SegmentSummary.open(forSegmentAt: path(of: file), on: folder.fileSystem) == nil ? .foreign : .fits
        } catch {
            return error == .stale ? .stale : .foreign
        }
    }

    private func path(of name: String) -> String { FilePath(folder: path, name: name).text }

    /// Removes the leftovers if `removes`. Returns their paths, and the paths of leftovers that stay because somebody is working on them.
    func leftovers(removing removes: Bool) throws(FileSystemError) -> (found: [String], inUse: [String]) {
        var (found, inUse): ([String], [String]) = ([], [])
        for name in try folder.names().sorted() {
            guard let file = Self.file(ofSummary: name) ?? Self.segment(ofLeftover: name), isMeant(file), try folder.isFile(name)
            else { continue }
            let standing = standing(ofSummary: name)
            // A foreign file named as a segment's summary is removed. One named as another file's summary may be anybody's, and stays.
            if standing == .fits || standing == .foreign && SegmentName.parse(name) == nil { continue }
            let taken = name.isHiddenName ? try folder.takeOver(name)?.file : nil
            defer { if let taken { folder.fileSystem.close(taken) } }
            if name.isHiddenName, taken == nil {
                if try folder.status(name) != nil { inUse.append(path(of: name)) }
                continue
            }
            if removes { try folder.remove(name) }
            found.append(path(of: name))
        }
        if removes, !found.isEmpty { try folder.synchronize() }
        return (found + (try quarantined(removing: removes)), inUse)
    }

    /// Gives each collected tombstone a summary, so that a device that sends the old one finds its name taken, too.
    func summarizeTombstones() throws(FileSystemError) {
        if isInside { return }
        for name in try folder.names().sorted() {
            guard SegmentName.parse(name)?.state == .sealed, isMeant(name), try folder.status(name)?.bytes == Int64(BGZF.endMember.count)
            else { continue }
            _ = try? SummaryFile(folder: folder, name: name, keepsProperties: false).make()
        }
    }

    private func quarantined(removing removes: Bool) throws(FileSystemError) -> [String] {
        guard let quarantine = try folder.existingFolder(Quarantine.folderName) else { return [] }
        var found: [String] = []
        for name in try quarantine.names().sorted() where name.hasSuffix(Quarantine.suffix) {
            // If segments were named, only their files go. A ring stays then, because it belongs to all segments of its writer.
            guard segments?.contains(where: name.hasPrefix) ?? true, try quarantine.isFile(name) else { continue }
            if removes { try quarantine.remove(name) }
            found.append(FilePath(folder: path(of: Quarantine.folderName), name: name).text)
        }
        if removes, !found.isEmpty { try quarantine.synchronize() }
        return found
    }

    /// The files other than event files that hold one of the ids, with the number of such lines, and those that cannot be read.
    func others(holding traces: PersonTraces, goOn: () throws -> Void) throws -> [ForgetResult.File] {
        if segments != nil { return [] }
        var found: [ForgetResult.File] = []
        let entries = try folder.call(path, folder.fileSystem.entries(in: folder.descriptor))
        for entry in entries.sorted(by: { $0.name < $1.name }) where Self.isOther(entry.name) || !entry.isNameable {
            try goOn()
            let name = entry.name
            if !entry.isNameable { found.append(.init(path: path(of: name), lines: 0, outcome: .refused(.unreadable))) }
            // A summary holds nothing that its event file does not hold.
            if let standing = standing(ofSummary: name), standing != .foreign { continue }
            guard try folder.isFile(name) else { continue }
            var lines = 0
            // Not listed by its path, because a listing leaves out names of summaries. Somebody may have removed the file meanwhile.
            let reader = EventFileReader([InputFile(path: path(of: name), wasNamed: false)], on: folder.fileSystem)
            let read = try reader.forEachLine { line in
                try goOn()
                if traces.areIn(line) { lines += 1 }
            }
            let isWhole = read.files.allSatisfy { $0.damagedMembers == $0.count(of: .missingEnd) && $0.longLines == 0 }
            if !isWhole { lines = 0 } else if lines == 0 { continue }
            found.append(.init(path: path(of: name), lines: lines, outcome: .refused(isWhole ? .mentioned : .unreadable)))
        }
        return found
    }

    /// Whether the lines of a file would stay behind another name. Leftovers do not count, because they go first.
    func isLinked(_ status: FileStatus) throws(FileSystemError) -> Bool {
        if status.links < 2 { return status.kind == .link }
        let leftovers = try folder.regularFiles { Self.segment(ofLeftover: $0) != nil }
        return status.links > 1 + leftovers.count { $0.status.isSameFile(as: status) }
    }

    private static func isOther(_ name: String) -> Bool {
        if let (segment, state) = SegmentName.parse(name) { return segment.contents == .log && (state == .sealed || state == .open) }
        return ![UploadLock.name, UploadLock.newName, ForgetMark.name, ForgetMark.newName, Erasure.markerName].contains(name)
            && !InputListing.isEventFile(name) && segment(ofLeftover: name) == nil
    }
}

extension EventFolder { func isFile(_ name: String) throws(FileSystemError) -> Bool { try status(name)?.kind == .regular } }
