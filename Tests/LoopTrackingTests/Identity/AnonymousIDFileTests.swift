import Foundation
import LoopTracking
import Testing

/// A folder for one test. Releasing the object removes the folder.
final class IDFolder: Sendable {
    let path = NSTemporaryDirectory() + "looptrail-id-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: AnonymousIDFile { AnonymousIDFile(path: path + "/id") }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    func put(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/id")) }
    func text() throws -> String { String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/id")), as: UTF8.self) }
}

/// The file that keeps the anonymous id.
@Suite struct AnonymousIDFileTests {
    private let folder: IDFolder

    init() throws { folder = try IDFolder() }

    @Test func `the first id is kept, for its owner alone, and found again`() throws {
        #expect(try folder.file.load(orKeep: "a-1") == "a-1")
        #expect(try folder.file.load(orKeep: "a-2") == "a-1")
        #expect(try folder.text() == "a-1\n")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/id")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(folder.names == ["id"], "nothing is left beside it")
    }

    @Test func `another id takes its place in one step`() throws {
        _ = try folder.file.load(orKeep: "a-1")
        try folder.file.replace(with: "a-2")
        #expect(try folder.file.load(orKeep: "a-3") == "a-2")
        try folder.file.remove()
        try folder.file.remove()
        #expect(folder.names == [])
        #expect(try folder.file.load(orKeep: "a-3") == "a-3")
    }

    @Test func `missing folders are made`() throws {
        let file = AnonymousIDFile(path: folder.path + "/x/y/id")
        #expect(try file.load(orKeep: "a-1") == "a-1")
        #expect(try file.load(orKeep: "a-2") == "a-1")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/x/y")[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func `a relative path means the same file after the program has changed its folder`() async {
        await #expect(processExitsWith: .success) {
            let (one, other) = (try IDFolder(), try IDFolder())
            #expect(chdir(one.path) == 0)
            let file = AnonymousIDFile(path: "id")
            #expect(try file.load(orKeep: "a-1") == "a-1" && chdir(other.path) == 0)
            #expect(try file.load(orKeep: "a-2") == "a-1")
            try file.remove()
            #expect(one.names == [] && other.names == [])
        }
    }

    @Test(arguments: [
        "", "\n", "a-", "u17\n", "a-1 2", "a-1\na-2\n", "a-\u{0}", "a-ü", "a-" + String(repeating: "x", count: 127), "\u{FEFF}a-1",
    ])
    func `a text that is no id is damage, whatever it is`(text: String) throws {
        try folder.put(text)
        #expect(throws: AnonymousIDError.damaged(path: folder.file.path)) { try folder.file.load(orKeep: "a-new") }
        #expect(try folder.text() == text, "looking changes nothing")
    }

    @Test(arguments: ["a-1", "a-1\n", "a-" + String(repeating: "x", count: 126), "a-0193c0de-7b1a-7000-8000-5f3e2d1c0b9a\n"])
    func `an id is found with and without its line feed`(text: String) throws {
        try folder.put(text)
        #expect(try folder.file.load(orKeep: "a-new") == text.trimmingCharacters(in: .newlines))
    }

    @Test(arguments: ["folder", "link", "fifo"])
    func `a path that is no file is left alone, and nobody waits for it`(kind: String) throws {
        let path = folder.file.path
        switch kind {
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
        default: #expect(mkfifo(path, 0o600) == 0)
        }
        #expect(throws: AnonymousIDError.notAFile(path: path)) { try folder.file.load(orKeep: "a-1") }
        #expect(folder.names == ["id"])
    }

    @Test func `where nothing can be kept the error says where and why`() throws {
        let file = AnonymousIDFile(path: "/dev/null/id")
        #expect(throws: AnonymousIDError.self) { try file.load(orKeep: "a-1") }
        #expect(throws: AnonymousIDError.unwritable(path: "/dev/null/id", errno: ENOTDIR)) { try file.replace(with: "a-1") }
        #expect("\(AnonymousIDError.unwritable(path: "/x", errno: ENOSPC))".hasPrefix("/x cannot be written (No space left on device)"))
        #expect("\(AnonymousIDError.unreadable(path: "/x", errno: EACCES))".hasPrefix("/x cannot be read (Permission denied)"))
    }

    @Test func `a text that is no id is never kept`() throws {
        #expect(throws: AnonymousIDError.self) { try folder.file.replace(with: "u17") }
        #expect(throws: AnonymousIDError.self) { try folder.file.replace(with: "a-/../x") }
        #expect(folder.names == [])
    }

    @Test func `a remainder of a killed process is no obstacle`() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/.id.a-1.tmp"))
        #expect(try folder.file.load(orKeep: "a-1") == "a-1")
        #expect(folder.names == ["id"])
    }

    @Test func `of many that begin at one moment all end with one id`() async throws {
        for round in 0..<30 {
            let file = AnonymousIDFile(path: folder.path + "/id\(round)")
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<16 { group.addTask { try file.load(orKeep: "a-\(round)-\(number)") } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
        #expect(folder.names.count == 30)
    }

    @Test func `readers beside a writer find a whole id at any moment`() async throws {
        let file = folder.file
        try file.replace(with: "a-0")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for number in 1...200 { try file.replace(with: "a-\(String(repeating: "\(number % 10)", count: 100))") } }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<300 {
                        let id = try file.load(orKeep: "a-none")
                        #expect(id == "a-0" || (id.count == 102 && Set(id.dropFirst(2)).count == 1))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
