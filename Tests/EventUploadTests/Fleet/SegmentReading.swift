import Basics
import Foundation
import TrackingEvents

@testable import EventFiles

/// The contents of segments: events with a number, and `dropped` lines.
struct SegmentReading {
    /// A `dropped` line.
    struct Drops {
        let id: String
        let count: Int
        let sessions: [String: Int]
        /// The segment that the line is about, if expiry has removed one.
        let segment: String?
    }

    /// In the order of the lines. An event that occurs twice is listed twice.
    private(set) var events: [SimulatedDevice.Event] = []
    private(set) var drops: [Drops] = []
    /// The user of each event.
    private var users: [SimulatedDevice.Event: String] = [:]
    /// Bytes that are no whole gzip member, or no line that can be scanned.
    private(set) var tornBytes = 0

    init() {}

    init(_ bytes: [UInt8]) { add(bytes) }

    func events(of user: String) -> [SimulatedDevice.Event] { events.filter { users[$0] == user } }

    mutating func add(_ bytes: [UInt8]) {
        let inflater = BGZFInflater()
        let raw = ByteBuffer(capacity: BGZF.memberLimit)
        var place = 0
        while place < bytes.count {
            raw.removeAll()
            let size: Int? = bytes[place...].withUnsafeBytes { rest in
                guard case .member(let header) = BGZF.head(of: rest), header.memberBytes <= rest.count else { return nil }
                return inflater.appendContents(of: rest, header: header, to: raw) == .whole ? header.memberBytes : nil
            }
            guard let size else {
                tornBytes += bytes.count - place
                return
            }
            place += size
            add(linesOf: raw.raw)
        }
    }

    /// Looks for the ends of lines with `memchr`, because a loop over the bytes is slow in debug builds.
    private mutating func add(linesOf raw: UnsafeRawBufferPointer) {
        var start = 0
        while start < raw.count {
            let rest = UnsafeRawBufferPointer(rebasing: raw[start...])
            let end = memchr(rest.baseAddress!, Int32(UInt8(ascii: "\n")), rest.count).map {
                $0 - UnsafeMutableRawPointer(mutating: rest.baseAddress!)
            }
            let count = end ?? rest.count
            if count > 0 { add(line: UnsafeRawBufferPointer(rebasing: rest[..<count])) }
            start += count + 1
        }
    }

    private mutating func add(line: UnsafeRawBufferPointer) {
        guard let head = try? EventLineScanner().scan(line) else {
            tornBytes += line.count
            return
        }
        if head.sequence > 0, !head.session.isEmpty {
            let event = SimulatedDevice.Event(
                session: head.session.string(in: line), sequence: head.sequence, id: head.id.string(in: line))
            events.append(event)
            users[event] = head.user.string(in: line)
        } else if head.kind == .meta, head.name.string(in: line) == MetaEventName.dropped {
            let object = try? JSONSerialization.jsonObject(with: Data(head.properties.bytes(in: line))) as? [String: Any]
            drops.append(
                Drops(
                    id: head.id.string(in: line), count: object?["count"] as? Int ?? 0,
                    sessions: object?["sessions"] as? [String: Int] ?? [:],
                    segment: object?["segment"] as? String))
        }
    }
}
