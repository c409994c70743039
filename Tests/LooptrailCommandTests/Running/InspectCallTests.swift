import Testing

/// `looptrail inspect` as a process of its own.
@Suite struct InspectCallTests {
    @Test func `a list of sessions says why states are missing, and that the end of the last event is not known`() throws {
        let folder = try TemporaryFolder()
        let head = #"{"recording":2,"id":"aaaa","system":"shop","t_ms":0,"after":0,"states":"json","events":"json","state":0}"#
        let text = #"{"recording":2,"id":"aaaa","system":"shop","t_ms":0,"after":1,"states":"text","reason":"too\nslow","state":"0"}"#
        let steps = [#"{"n":1,"name":"a","event":1}"#, #"{"of":1,"ns":[1,1,1]}"#, text, #"{"n":2,"name":"b","event":2}"#]
        let path = try folder.file("recording.ndjson", Events.text([head] + steps))
        let listed = try Child.looptrail(["inspect", path, "--list"])
        let end = "did not end by itself, last event taken: 2, whether it ended is not known"
        let line = "aaaa  1970-01-01T00:00:00.000Z  shop  2 steps  \(end)  states are recorded as text after 1: too\\nslow\n"
        #expect(listed.status == 0 && listed.output == line, "\(listed.output)\(listed.errors)")
    }
}
