import Foundation
import LoopCore
import LoopLogging
import Testing

@Suite struct LogOutputTests {
    @Test func `a closure gets lines without line feeds`() {
        var lines: [String] = []
        let output = LogOutput.closure { lines.append($0) }
        output.write("one")
        output.write("two")
        #expect(lines == ["one", "two"])
    }

    @Test func `a file descriptor gets whole lines with line feeds`() throws {
        let pipe = Pipe()
        let output = LogOutput.fileDescriptor(pipe.fileHandleForWriting.fileDescriptor)
        output.write("#1 load → loaded")
        output.write("")
        output.write("grüße")
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text == "#1 load → loaded\n\ngrüße\n")
    }

    @Test func `a line longer than a pipe holds arrives whole`() async throws {
        let long = String(repeating: "0123456789", count: 50_000)
        let text = try await readPipe { descriptor in [{ LogOutput.fileDescriptor(descriptor).write(long) }] }
        // Compared outside the macro, which would print both in full.
        let isWhole = text == long + "\n"
        #expect(isWhole)
    }

    @Test func `a line that a descriptor takes in parts arrives whole, even if the descriptor does not block`() async throws {
        let long = String(repeating: "0123456789", count: 50_000)
        let text = try await readPipe { descriptor in
            // More than the pipe holds: the first call takes a part, and the next ones find no room until the reader has made some.
            #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
            return [{ LogOutput.fileDescriptor(descriptor).write(long) }]
        }
        // Compared outside the macro, which would print both in full.
        let isWhole = text == long + "\n"
        #expect(isWhole)
    }

    @Test func `a full descriptor that does not block loses whole lines and delays no writer`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        let output = LogOutput.fileDescriptor(descriptor)
        // With its line feed a line has 64 bytes, which divide a pipe's pages evenly: the last line fits whole or not at all.
        let line = String(repeating: "x", count: 63)
        for _ in 0..<20_000 { output.write(line) }
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(!lines.isEmpty && lines.count < 20_000)
        #expect(lines.allSatisfy { $0 == line })
    }

    @Test func `lines of several threads do not mix`() async throws {
        let text = try await readPipe { descriptor in
            (0..<4).map { worker in
                {
                    let output = LogOutput.fileDescriptor(descriptor)
                    for number in 0..<200 { output.write("\(worker):\(number):" + String(repeating: "\(worker)", count: 300)) }
                }
            }
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 800)
        for line in lines {
            let parts = line.split(separator: ":")
            #expect(parts.count == 3)
            #expect(parts.last.map(String.init) == String(repeating: String(parts[0]), count: 300))
        }
    }

    /// The text that the writers put into a pipe. The writers and the reader have threads of their own, because they block, and tasks
    /// share few threads.
    private func readPipe(_ writers: (Int32) -> [@Sendable () -> Void]) async throws -> String {
        let pipe = Pipe()
        let done = DispatchGroup()
        for writer in writers(pipe.fileHandleForWriting.fileDescriptor) {
            done.enter()
            Thread.detachNewThread {
                writer()
                done.leave()
            }
        }
        return await withCheckedContinuation { continuation in
            let writing = pipe.fileHandleForWriting
            let reading = pipe.fileHandleForReading
            Thread.detachNewThread {
                continuation.resume(returning: String(decoding: reading.readDataToEndOfFile(), as: UTF8.self))
            }
            Thread.detachNewThread {
                done.wait()
                try? writing.close()
            }
        }
    }

    @MainActor @Test func `a descriptor that takes nothing loses the lines, and the loop goes on`() {
        let system = Book().open().attach(.log(to: .fileDescriptor(-1)))
        system.send(.count)
        system.send(.count)
        #expect(system.state == .counting(2))
    }

    @MainActor @Test func `a log writes lines of the caller's own format to the caller's own output`() {
        var text = ""
        let terse = LogFormat<Page, Move> { record, values in "\(record.step.number): \(values.text(ofState: record.step.state))" }
        let system = Book().open().attach(.log(LogOptions(terse), to: .closure { text += $0 + ";" }))
        system.send(.count)
        #expect(text == "0: start;1: counting(1);")
        #expect(Middleware<Page, Move>.log(LogOptions(terse)).needs == [])
    }

    @MainActor @Test func `a detached log writes nothing more`() {
        let lines = Lines()
        let log = Middleware<Page, Move>.log(to: lines.output)
        let system = Book().open().attach(log)
        system.send(.tick)
        system.detach(log)
        system.send(.tick)
        #expect(lines.all.count == 2)
    }
}
