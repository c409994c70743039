import Basics

/// The file `.forgetting`, from before the first change of a folder until nothing is left to do.
///
/// It says for whom, because a run that was killed, or that had to leave a file, may have removed the very lines that join an anonymous id to its
/// user: a line `id <user>` for each person, `joined <anonymous id> <user>` for each anonymous id, `done <user>` at the end, ids in
/// hexadecimal.
struct ForgetMark {
    private let folder: EventFolder
    private let file: FileDescriptor
    private var journal: LineJournal
    /// Persons of whom something may be left.
    private(set) var ids: Set<String> = []
    private(set) var owners: [String: String] = [:]

    /// Opens the mark of a folder; `nil` without one.
    init?(in folder: EventFolder) throws(FileSystemError) {
        guard try folder.status(EventForgetting.markerName)?.kind == .regular else { return nil }
        file = try folder.call(EventForgetting.markerName) { files throws(FileSystemError) in
            try files.open(EventForgetting.markerName, in: folder.descriptor)
        }
        self.folder = folder
        journal = LineJournal(EventForgetting.markerName, file, in: folder)
        do throws(FileSystemError) {
            try read()
        } catch {
            folder.fileSystem.close(file)
            throw error
        }
    }

    func close() { folder.fileSystem.close(file) }

    /// Makes the mark, or adds to one that a killed run left.
    static func add(_ person: PersonIDs, in folder: EventFolder) throws(FileSystemError) {
        if try folder.status(EventForgetting.markerName) == nil {
            let made = try folder.call(EventForgetting.markerName) { files throws(FileSystemError) in
                try files.create(EventForgetting.markerName, in: folder.descriptor)
            }
            folder.fileSystem.close(made)
        }
        guard var mark = try ForgetMark(in: folder) else { throw FileSystemError(.open, errno: EEXIST, path: EventForgetting.markerName) }
        defer { mark.close() }
        var text = ""
        for id in person.ids where !mark.ids.contains(id) { text += "id \(hexadecimal(id))\n" }
        for (anonymous, user) in person.owners.sorted(by: { $0.key < $1.key }) where mark.owners[anonymous] == nil {
            text += "joined \(hexadecimal(anonymous)) \(hexadecimal(user))\n"
        }
        try mark.journal.append(text)
        try mark.journal.synchronize()
        try folder.synchronize()
    }

    /// Notes that nothing is left of a person, and removes the mark if nothing is left of anybody.
    mutating func end(_ person: PersonIDs) throws(FileSystemError) {
        if ids.isSubset(of: person.ids) { return try folder.remove(EventForgetting.markerName) }
        try journal.append(person.ids.filter(ids.contains).map { "done \(Self.hexadecimal($0))\n" }.joined())
        try journal.synchronize()
    }

    private mutating func read() throws(FileSystemError) {
        for line in try journal.read() {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 2, words[0] == "id" {
                ids.insert(Self.text(words[1]))
            } else if words.count == 2, words[0] == "done" {
                ids.remove(Self.text(words[1]))
            } else if words.count == 3, words[0] == "joined" {
                owners[Self.text(words[1])] = Self.text(words[2])
            }
        }
    }

    private static func hexadecimal(_ text: String) -> String { text.utf8.map { Hexadecimal.text(UInt64($0), digits: 2) }.joined() }

    private static func text(_ digits: String) -> String {
        let digits = Array(digits)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { place in
            UInt8(Hexadecimal.number(String(digits[place...place + 1]), digits: 2) ?? 0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
