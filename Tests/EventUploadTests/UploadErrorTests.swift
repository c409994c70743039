import EventFiles
import Testing

@testable import EventUpload

/// The sentences that a caller prints: what, where, and what to do.
@Suite struct UploadErrorTests {
    private static let name = "events-1a2b3c4d5e6f7081-0000000001.ndjson.gz"

    @Test(
        "an unsuccessful status says what to look at, if that is known",
        arguments: [
            (401, "token"), (403, "token"), (404, "address"), (405, "PUT"), (413, "rotateBytes"), (400, nil), (500, nil), (503, nil),
        ] as [(Int, String?)])
    func statuses(status: Int, advice: String?) {
        let text = UploadError.status(status, name: Self.name).description
        #expect(text.hasPrefix("The server answered \(status) to \(Self.name)."))
        #expect(advice.map(text.contains) ?? text.hasSuffix("to \(Self.name)."), "\(text)")
    }

    private static let all: [(UploadError, [String])] = [
        (.badAddress("ftp://x"), ["'ftp://x'", "https://"]), (.folder(.notAFolder(path: "events/")), ["events/", "real folder"]),
        (.busy(folder: "events/"), ["events/", ".uploading", "Try again later"]),
        (.changed(path: "events/\(name)"), ["events/\(name) changed", "must be left as they are"]),
        (.redirected(status: 301, to: "https://y/"), ["301", "to https://y/", "final address"]),
        (.redirected(status: 302, to: nil), ["302", "nowhere", "307 and 308"]), (.redirected(status: 307, to: "/y"), ["at most 5"]),
        (.conflict(name: name, bytes: 10, there: 7), [name, "(7 bytes, ours has 10)", "remove the wrong one"]),
        (.conflict(name: name, bytes: 10, there: nil), ["of a length it does not give, ours has 10"]),
        (.unconfirmed(name: name, status: 200), [name, "answered 200 to HEAD", "with Content-Length"]),
        (.unconfirmed(name: name, status: nil), [name, "no address was given for HEAD"]),
        (.acknowledgedEarly(name: name, sent: 3, of: 10), ["\(name) after 3 of 10 bytes", "sent again"]),
        (.transport("no route"), ["no route"]), (.headers("expired"), ["expired", "closure"]), (.stopped, ["stays in the folder"]),
    ]

    @Test("each error names its cause and what becomes of the segment", arguments: all.indices)
    func sentences(place: Int) {
        let (error, parts) = Self.all[place]
        for part in parts { #expect(error.description.contains(part), "\(error)") }
        #expect(!error.description.contains("Optional") && !error.description.contains("\n"))
    }
}
