import Basics
import Foundation
import Testing

@Suite struct WholeFileTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "whole-file-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func names(_ folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test func `a file is replaced in one step, with the access asked for, and nothing is left beside it`() throws {
        try inFolder { folder in
            let path = folder + "/out"
            try WholeFile.replace(path, with: Array("old".utf8), temporary: folder + "/t", syncs: false)
            // Not everybody can give a file to a group that they are not in.
            let group: gid_t = chown(path, getuid(), 65_534) == 0 ? 65_534 : getgid()
            try WholeFile.replace(path, with: Array("new".utf8), temporary: folder + "/t", access: (0o604, getuid(), group), syncs: true)
            #expect(WholeFile.bytes(of: path, atMost: 3) == Array("new".utf8))
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber == 0o604)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.groupOwnerAccountID] as? NSNumber == NSNumber(value: group))
            #expect(try names(folder) == ["out"])
        }
    }

    @Test func `what stands under the temporary name is never touched`() throws {
        try inFolder { folder in
            try "somebody's".write(toFile: folder + "/t", atomically: false, encoding: .utf8)
            let failure = #expect(throws: WholeFile.Failure.self) {
                try WholeFile.replace(folder + "/out", with: Array("x".utf8), temporary: folder + "/t", syncs: false)
            }
            #expect(failure?.step == .create)
            #expect(failure?.error.number == EEXIST)
            #expect(try names(folder) == ["t"])
            #expect(WholeFile.bytes(of: folder + "/t", atMost: 100) == Array("somebody's".utf8))
        }
    }

    @Test func `a path that cannot be replaced fails in the step replace, and nothing is left beside it`() throws {
        try inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/out/inside", withIntermediateDirectories: true)
            let failure = #expect(throws: WholeFile.Failure.self) {
                try WholeFile.replace(folder + "/out", with: Array("x".utf8), temporary: folder + "/t", syncs: false)
            }
            #expect(failure?.step == .replace)
            #expect(try names(folder) == ["out"])
        }
    }

    @Test func `only an ordinary file up to the limit is read`() throws {
        try inFolder { folder in
            try String(repeating: "x", count: 40_000).write(toFile: folder + "/f", atomically: false, encoding: .utf8)
            #expect(WholeFile.bytes(of: folder + "/f", atMost: 40_000)?.count == 40_000)
            #expect(WholeFile.bytes(of: folder + "/f", atMost: 39_999) == nil)
            #expect(WholeFile.bytes(of: folder + "/none", atMost: 1) == nil)
            #expect(WholeFile.bytes(of: folder, atMost: 1_000_000) == nil)
            func why(_ path: String, _ limit: Int = 1) -> String? {
                do throws(WholeFile.Unread) {
                    _ = try WholeFile.contents(of: path, atMost: limit)
                    return nil
                } catch {
                    return "\(error)"
                }
            }
            #expect(why(folder + "/f", 39_999) == "has more than 39,999 bytes")
            #expect(why(folder + "/none") == "cannot be read: No such file or directory")
            #expect(why(folder) == "is a folder, and a file is needed")
            #expect(why("/dev/null") == "is a pipe or a device, and a file is needed")
        }
    }

    @Test func `writing to a full pipe fails if nothing was written yet, and waits if something was`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        var filled = 0
        while true {
            let count = write(ends[1], [UInt8](repeating: 0, count: 4096), 4096)
            if count < 0 { break }
            filled += count
        }
        let failure = #expect(throws: SystemError.self) {
            try DescriptorWriting.writeAll("x", to: ends[1], whenFull: .failUnlessBegun)
        }
        #expect(failure?.number == EAGAIN)
        // Room for a part: the rest waits until a reader has made room.
        var room = [UInt8](repeating: 0, count: filled)
        #expect(read(ends[0], &room, 4096) == 4096)
        let reader = try PosixThread { [end = ends[0]] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while read(end, &bytes, bytes.count) > 0 {}
        }
        try DescriptorWriting.writeAll(String(repeating: "y", count: 20_000), to: ends[1], whenFull: .failUnlessBegun)
        close(ends[1])
        reader.join()
    }
}
