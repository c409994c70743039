import Basics
import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// What tests of consent look at in the folders inside.
extension WriterTestFolder {
    /// The names in a folder inside, without rings; `nil` if there is no such folder, or only rings are in it.
    func names(in inside: String) -> [String]? {
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: path + "/" + inside).sorted() else { return nil }
        let names = all.filter { !$0.isOfRing }
        return names.isEmpty && !all.isEmpty ? nil : names
    }

    /// The lines of all segments in `.pending/`, in the order of their names' numbers.
    func spooledLines() throws -> [String] {
        let names = (names(in: ".pending") ?? []).filter { [.sealed, .open].contains(SegmentName.parse($0)?.state) }
        let ordered = names.sorted { (SegmentName.parse($0)!.name.number, $0) < (SegmentName.parse($1)!.name.number, $1) }
        return try ordered.flatMap { try decode(".pending/" + $0).lines }
    }

    /// The relative paths of all files and folders below, without rings, folders of rings alone, and the number of the last erasure.
    var everything: [String] {
        let all = ((try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? []).filter { $0 != Erasure.numberName }
        let rings = all.filter { $0.hasSuffix(".ring") }
        return all.filter { path in
            !rings.contains(path)
                && !(rings.contains { $0.hasPrefix(path + "/") } && !all.contains { $0.hasPrefix(path + "/") && !rings.contains($0) })
        }
    }

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
