import Foundation
import LoopTracing
import Testing

@Suite struct TraceFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trace-file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func write(_ text: String, to file: TraceFile, at offset: Int) throws {
        try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
    }

    @Test func `writes at places, over what is there and beyond the end, and cuts back`() throws {
        try withFolder { folder in
            let file = try TraceFile(path: folder + "/a")
            try write("hello", to: file, at: 0)
            try write("LOW!", to: file, at: 3)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "helLOW!")
            try file.truncate(to: 2)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "he")
        }
    }

    @Test func `a file that is there is emptied`() throws {
        try withFolder { folder in
            try "old".write(toFile: folder + "/a", atomically: false, encoding: .utf8)
            let file = try TraceFile(path: folder + "/a")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).isEmpty)
        }
    }

    @Test func `a folder that is not there is an error that says what, where and what to do`() {
        let error = #expect(throws: TraceOutputError.self) { try TraceFile(path: "/nowhere/at/all/trace.json") }
        #expect(error?.operation == .open)
        #expect(
            error?.description
                == "cannot open the trace `/nowhere/at/all/trace.json`: No such file or directory. Name a file in a folder that is there and may be written."
        )
    }

    @Test func `a pipe that nobody reads is an error, and nobody waits for a reader`() throws {
        try withFolder { folder in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let error = #expect(throws: TraceOutputError.self) { try TraceFile(path: folder + "/pipe") }
            #expect(error == TraceOutputError(.open, path: folder + "/pipe", errno: ENXIO))
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a full disk is an error that names the byte`() throws {
        let file = try TraceFile(path: "/dev/full")
        let error = #expect(throws: TraceOutputError.self) { try write("x", to: file, at: 7) }
        #expect(error == TraceOutputError(.write, path: "/dev/full", errno: ENOSPC, offset: 7))
        #expect(error?.description.contains("at byte 7: No space left on device") == true)
    }
}
