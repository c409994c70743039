import Foundation
import Testing

@testable import looptrail

@Suite struct DemoFolderTests {
    /// Runs `body` with the path of a folder that does not exist yet, inside one that is removed afterwards.
    private func withPath(_ body: (String) throws -> Void) throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("demo-folder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: parent) }
        try body(parent.appendingPathComponent("demo").path)
    }

    private func write(_ text: String, to path: String) throws { try text.write(toFile: path, atomically: false, encoding: .utf8) }

    @Test func `a folder that is not there is made, and counts its runs`() throws {
        try withPath { path in
            for run in 0..<3 {
                let folder = try DemoFolder(path: path)
                #expect(folder.earlierRuns == run)
                folder.release()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [DemoFolder.markerName])
        }
    }

    @Test func `an empty folder is taken`() throws {
        try withPath { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let folder = try DemoFolder(path: path)
            #expect(folder.earlierRuns == 0)
            #expect(folder.events == path + "/events")
            folder.release()
        }
    }

    @Test func `a folder with anything else in it is refused and left as it is`() throws {
        try withPath { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try write("mine", to: path + "/.hidden")
            #expect(throws: DemoFolder.Failure.self) { try DemoFolder(path: path) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [".hidden"])
        }
    }

    @Test func `a file is refused`() throws {
        try withPath { path in
            try write("mine", to: path)
            let error = #expect(throws: DemoFolder.Failure.self) { try DemoFolder(path: path) }
            #expect(error?.description.contains("is no folder") == true)
        }
    }

    @Test func `a folder below one that is not there is an error that names it`() throws {
        try withPath { path in
            let error = #expect(throws: DemoFolder.Failure.self) { try DemoFolder(path: path + "/a/b") }
            #expect(error?.description.contains("cannot make the folder") == true)
        }
    }

    @Test func `a second demo at the same time is turned away`() throws {
        try withPath { path in
            let first = try DemoFolder(path: path)
            let error = #expect(throws: DemoFolder.Failure.self) { try DemoFolder(path: path) }
            #expect(error?.description.contains("another demo is running") == true)
            first.release()
            let next = try DemoFolder(path: path)
            #expect(next.earlierRuns == 1)
            next.release()
        }
    }

    @Test(arguments: [
        ("", 0), ("4\n", 4), ("garbage", 1), ("7", 7), ("-5", 1), ("99999", 99_999), ("9223372036854775807\n", 1), ("99999999999\n", 1),
    ])
    func `a marker that was cut short never repeats a run`(contents: String, earlier: Int) throws {
        try withPath { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try write(contents, to: path + "/" + DemoFolder.markerName)
            let folder = try DemoFolder(path: path)
            #expect(folder.earlierRuns == earlier)
            folder.release()
        }
    }

    @Test func `a marker that is a link is not followed`() throws {
        try withPath { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let target = path + "-target"
            try write("1\n", to: target)
            try FileManager.default.createSymbolicLink(atPath: path + "/" + DemoFolder.markerName, withDestinationPath: target)
            #expect(throws: DemoFolder.Failure.self) { try DemoFolder(path: path) }
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "1\n")
        }
    }
}
