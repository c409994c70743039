import Foundation
import Testing

@testable import EventFiles

#if canImport(Glibc)
import Glibc
#endif

@Suite struct InputWindowTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private func window(_ path: String) -> InputWindow {
        InputWindow(FileDescriptor(rawValue: open(path, O_RDONLY)), closes: true)
    }

    @Test func `the window slides over a file larger than itself and can go back anywhere`() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
        let window = window(try folder.write(bytes, "a"))
        var place = 0
        for step in [1, 100_000, 262_144, 1_000_000, 7, 900_000] {
            try window.fill(300_000)
            #expect(window.offset == Int64(place))
            #expect(window.bytes.prefix(300_000).elementsEqual(bytes[place..<min(place + 300_000, bytes.count)]))
            try window.fill(step)
            window.consume(step)
            place += step
        }
        for back in [place - 10, 5, 0] {
            window.rewind(to: Int64(back))
            #expect(window.offset == Int64(back))
            try window.fill(50)
            #expect(window.bytes.prefix(50).elementsEqual(bytes[back..<back + 50]))
        }
    }

    @Test func `the end is found, and a file that grows is read on`() throws {
        let path = try folder.write("abc", "a")
        let window = window(path)
        try window.fill(10)
        #expect(window.isAtEnd && window.bytes.elementsEqual("abc".utf8))
        #expect(try !window.grow())
        let file = try #require(FileHandle(forWritingAtPath: path))
        file.seekToEndOfFile()
        file.write(Data("defg".utf8))
        try file.close()
        #expect(try window.grow())
        #expect(window.bytes.elementsEqual("abcdefg".utf8))
    }

    @Test func `a file that shrinks gives an end and no signal`() throws {
        let path = try folder.write([UInt8](repeating: 1, count: 2_000_000), "a")
        let window = window(path)
        try window.fill(1000)
        try #require(truncate(path, 300_000) == 0)
        try window.fill(2_000_000)
        #expect(window.isAtEnd && window.bytes.count <= 600_000)
    }

    @Test func `a pipe goes back only as far as its window holds`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        #expect(write(ends[1], "abcdef", 6) == 6)
        close(ends[1])
        let window = InputWindow(FileDescriptor(rawValue: ends[0]), closes: true)
        try window.fill(6)
        window.consume(4)
        window.rewind(to: 1)
        #expect(window.offset == 1)
        #expect(window.bytes.elementsEqual("bcdef".utf8))
        window.rewind(to: 2 + 6)
        #expect(window.offset == 1)
    }

    @Test func `a folder in a file's place is an error`() throws {
        let window = window(folder.path)
        #expect(throws: FileSystemError(.read, errno: EISDIR)) { try window.fill(1) }
    }
}
