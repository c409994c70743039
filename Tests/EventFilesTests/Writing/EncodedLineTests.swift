import Testing
import TrackingEvents

@testable import EventFiles

/// What the writer reads from a line that it drops.
@Suite struct EncodedLineTests {
    private func head(of event: StampedEvent) throws -> EncodedLine {
        try #require(EventLineEncoder().line(of: event)).withUnsafeBufferPointer { EncodedLine($0) }
    }

    @Test(arguments: ["s1", "", "a\"b", "back\\slash", "line\nfeed\t\r", "\u{1}\u{1F}", "München 🛒", #"","session":"other"#])
    func `the session is read back as it was, whatever characters it has`(session: String) throws {
        #expect(try head(of: testEvent(1, session: session)).session == session)
    }

    @Test(arguments: [(StampedEvent.Kind.track, false), (.meta, true), (.timing, false)])
    func `meta lines are known`(kind: StampedEvent.Kind, isMeta: Bool) throws {
        #expect(try head(of: testEvent(1, kind: kind)).isMeta == isMeta)
    }

    @Test func `a property that looks like the key is not taken for it`() throws {
        var event = testEvent(1)
        event.session = nil
        event.sequence = nil
        event.user = #"u","session":"no"#
        event.event.properties = ["session": "no", "type": "meta"]
        let head = try head(of: event)
        #expect(head.session == nil && !head.isMeta)
    }

    @Test func `bytes that are no encoded line have no session and are not meta`() throws {
        for text in ["", "{", #"{"v":1,"t_ms":"#, #"{"v":1,"t_ms":1,"name":"x"#, "\n"] {
            let head = Array(text.utf8).withUnsafeBufferPointer { EncodedLine($0) }
            #expect(head.session == nil && !head.isMeta)
        }
    }
}
