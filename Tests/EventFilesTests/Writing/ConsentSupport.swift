import Basics
import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// What tests of consent look at: the folder inside.
extension WriterTestFolder {
    /// Names in a folder inside; `nil` where there is none.
    func names(in inside: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: path + "/" + inside).sorted()
    }

    /// The lines of all segments in `.pending/`, in the order of their names' numbers.
    func spooledLines() throws -> [String] {
        let names = (names(in: ".pending") ?? []).filter { [.sealed, .open].contains(SegmentName.parse($0)?.state) }
        let ordered = names.sorted { (SegmentName.parse($0)!.name.number, $0) < (SegmentName.parse($1)!.name.number, $1) }
        return try ordered.flatMap { try decode(".pending/" + $0).lines }
    }

    /// Every file below, with its path from here.
    var everything: [String] { (try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? [] }

    func put(_ bytes: [UInt8], _ name: String, in inside: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + inside, withIntermediateDirectories: true)
        try put(bytes, inside + "/" + name)
    }
}

/// One member with the lines of events.
func member(_ numbers: ClosedRange<Int>, session: String = "s1") throws -> [UInt8] {
    let lines = try numbers.flatMap { try #require(EventLineEncoder().line(of: testEvent($0, session: session))) }
    let output = ByteBuffer(capacity: BGZF.memberLimit)
    lines.withUnsafeBufferPointer { BGZFDeflater(level: 1).appendMember(of: $0, to: output) }
    return Array(output.bytes)
}
