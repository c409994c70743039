import Basics

/// The file `.forgetting`. It stands in a folder from before the first change until nothing is left to do there.
///
/// It says who is forgotten: a run that was killed or had to leave a file may have removed the lines that join an anonymous id to its user.
/// It has a line `id <user>` for each person and `joined <anonymous id> <user>` for each anonymous id, with the ids in hexadecimal. A line
/// `session <fingerprint>` stands for each of a person's sessions that is named in somebody else's line.
struct ForgetMark {
    static let name = ".forgetting"
    static let newName = ".forgetting.new"

    private let folder: EventFolder
    private var journal: LineJournal
    private(set) var ids: Set<ExactText> = []
    private(set) var owners: [ExactText: ExactText] = [:]
    private(set) var sessions: Set<Fingerprint> = []

    init?(in folder: EventFolder) throws(FileSystemError) {
        guard try folder.status(Self.name)?.kind == .regular else { return nil }
        self.folder = folder
        journal = LineJournal(name: Self.name, file: try folder.open(Self.name), folder: folder)
        do throws(FileSystemError) {
            try read()
        } catch {
            close()
            throw error
        }
    }

    func close() { journal.close() }

    /// Makes the mark, or adds to one that a killed run left.
    static func add(_ person: PersonIDs, sessions: Set<Fingerprint>, in folder: EventFolder) throws(FileSystemError) {
        if try folder.status(Self.name) == nil { folder.fileSystem.close(try folder.create(Self.name)) }
        guard var mark = try ForgetMark(in: folder) else { throw FileSystemError(.open, errno: EEXIST, path: Self.name) }
        defer { mark.close() }
        let ids = person.ids.map { ExactText($0) }.filter { !mark.ids.contains($0) }
        let owners = person.owners.filter { mark.owners[$0.key] == nil }
        try mark.journal.append(text(ids, owners, sessions.subtracting(mark.sessions)))
        try mark.journal.synchronize()
        try folder.synchronize()
    }

    private static func text(_ ids: [ExactText], _ owners: [ExactText: ExactText], _ sessions: Set<Fingerprint>) -> String {
        ids.map { "id \(hexadecimal($0))\n" }.joined()
            + owners.sorted { $0.key < $1.key }.map { "joined \(hexadecimal($0)) \(hexadecimal($1))\n" }.joined()
            + sessions.map { "session \($0.hexadecimal)\n" }.joined()
    }

    /// Removes a person from the mark, and the mark itself if it names nobody else.
    func end(_ person: PersonIDs) throws(FileSystemError) {
        let others = ids.subtracting(person.ids.map { ExactText($0) })
        if others.isEmpty {
            try folder.remove(Self.newName)
            return try folder.remove(Self.name)
        }
        let text = Self.text(others.sorted(), owners.filter { others.contains($0.value) }, sessions)
        try LineJournal.replacing(Self.name, through: Self.newName, with: text, in: folder).close()
        try folder.synchronize()
    }

    private mutating func read() throws(FileSystemError) {
        for line in try journal.read() {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count) {
            case ("id", 2): ids.insert(Self.text(words[1]))
            case ("session", 2): if let session = Fingerprint(hexadecimal: words[1]) { sessions.insert(session) }
            // Version 0.1 writes this line when nothing is left of a person.
            case ("done", 2): ids.remove(Self.text(words[1]))
            case ("joined", 3): owners[Self.text(words[1])] = Self.text(words[2])
            default: break
            }
        }
    }

    private static func hexadecimal(_ id: ExactText) -> String { id.text.utf8.map { Hexadecimal.text(UInt64($0), digits: 2) }.joined() }

    private static func text(_ digits: String) -> ExactText {
        let digits = Array(digits)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
            UInt8(Hexadecimal.number(String(digits[index...index + 1]), digits: 2) ?? 0)
        }
        return ExactText(String(decoding: bytes, as: UTF8.self))
    }
}
