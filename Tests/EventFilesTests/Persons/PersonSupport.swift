import Basics
import Foundation
import TrackingEvents

@testable import EventFiles

/// One numbered event of somebody, as a line.
func line(_ number: Int, of user: String, session: String, name: String = "seen", props: String = "{}", type: String = "") -> String {
    let kind = type.isEmpty ? "" : #","type":"\#(type)""#
    return
        #"{"v":1,"t_ms":\#(1_767_225_600_000 + Int64(number)),"name":"\#(name)","user":"\#(user)","session":"\#(session)","seq":\#(number),"id":"\#(session)-\#(number)"\#(kind),"props":\#(props)}"#
        + "\n"
}

func identified(_ number: Int, _ anonymous: String, as user: String, session: String) -> String {
    line(number, of: user, session: session, name: "identified", props: #"{"anonymous":"\#(anonymous)"}"#, type: "meta")
}

/// A whole sealed file with the lines, `perMember` of them in each member.
func sealedFile(_ lines: [String], perMember: Int = 3) -> [UInt8] {
    let bytes = ByteBuffer(capacity: 1024)
    let deflater = BGZFDeflater(level: 6)
    for start in stride(from: 0, to: lines.count, by: perMember) {
        Array(lines[start..<min(start + perMember, lines.count)].joined().utf8).withUnsafeBufferPointer {
            deflater.appendMember(of: $0, to: bytes)
        }
    }
    bytes.append(BGZF.endMember)
    return Array(bytes.bytes)
}

extension WriterTestFolder {
    /// The lines of every event file under the folder, hidden folders too, with the paths inside.
    func allLines() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for name in everything where name.hasSuffix(".ndjson.gz") || name.hasSuffix(".open") { found[name] = try decode(name).lines }
        return found
    }
}
