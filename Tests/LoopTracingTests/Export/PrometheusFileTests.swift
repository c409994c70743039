import Foundation
import LoopTracing
import Testing

@Suite struct PrometheusFileTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "looptrail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `the file is replaced whole, with nothing left beside it`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = PrometheusFile(path: folder.path + "/shop.prom")
        for text in ["a 1\n", String(repeating: "long 1\n", count: 100_000), "", "b 2\n"] {
            try file.write(text)
            #expect(try String(contentsOfFile: folder.path + "/shop.prom", encoding: .utf8) == text)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shop.prom"])
    }

    @Test func `a reader never sees half of one while others write`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = PrometheusFile(path: folder.path + "/shop.prom")
        let texts = (0..<4).map { String(repeating: "metric_\($0) 1\n", count: 5_000) }
        try file.write(texts[0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in texts { group.addTask { for _ in 0..<20 { try file.write(text) } } }
            group.addTask {
                for _ in 0..<60 {
                    let seen = try String(contentsOfFile: folder.path + "/shop.prom", encoding: .utf8)
                    #expect(texts.contains(seen))
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shop.prom"])
    }

    @Test func `what cannot be written says why, and leaves nothing behind`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = PrometheusFile(path: folder.path + "/none/shop.prom")
        let error = #expect(throws: TraceOutputError.self) { try missing.write("a 1\n") }
        #expect(
            error?.errno == ENOENT && error?.description.contains("cannot make a file beside `\(folder.path)/none/shop.prom`") == true
        )
        // A folder in the file's place cannot be replaced.
        let taken = PrometheusFile(path: folder.path + "/taken")
        try FileManager.default.createDirectory(atPath: folder.path + "/taken" + "/inside", withIntermediateDirectories: true)
        #expect(throws: TraceOutputError.self) { try taken.write("a 1\n") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
    }
}
