import Basics
import Foundation
import LoopCore
import Testing
import TrackingEvents

@testable import EventFiles

/// A folder for one test, and the lines of the log files in it. Releasing the object removes the folder.
final class LogFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "looptrail-log-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// All files but the writer's ring.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasSuffix(".ring") }.sorted()
    }

    /// The lines of all log files, in the order of their numbers.
    func lines() throws -> [String] {
        let segments = names.compactMap { name in SegmentName.parse(name).map { (name, $0.name) } }.filter { $0.1.contents == .log }
        return try segments.sorted { ($0.1.number, $0.0) < ($1.1.number, $1.0) }.flatMap { try lines(of: $0.0) }
    }

    private func lines(of name: String) throws -> [String] {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
        let text = ByteBuffer(capacity: 1024)
        let inflater = BGZFInflater()
        var place = 0
        while place < bytes.count {
            let size: Int? = bytes[place...].withUnsafeBytes { rest in
                guard case .member(let header) = BGZF.head(of: rest), header.memberBytes <= rest.count else { return nil }
                return inflater.appendContents(of: rest, header: header, to: text) == .whole ? header.memberBytes : nil
            }
            place += try #require(size)
        }
        return text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// Keeps lines that come from any thread.
final class Kept: Sendable {
    private let lines = Basics.Lock<[(String, Int32)]>([])

    func append(_ line: String) { lines.withLock { $0.append((line, currentThread)) } }

    var all: [String] { lines.withLock { $0.map(\.0) } }
    /// The threads from which the lines came.
    var threads: Set<Int32> { lines.withLock { Set($0.map(\.1)) } }

    private var currentThread: Int32 {
        #if canImport(Darwin)
        Int32(truncatingIfNeeded: UInt(bitPattern: pthread_self()))
        #else
        Int32(truncatingIfNeeded: UInt(pthread_self()))
        #endif
    }
}
