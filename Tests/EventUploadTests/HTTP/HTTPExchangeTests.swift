import Foundation
import Testing

@testable import EventUpload

/// What follows from each answer of a server.
@Suite struct HTTPExchangeTests {
    private static let url = URL(string: "https://collect.example.org/in/x.ndjson.gz")!

    private static func begun() -> HTTPExchange { HTTPExchange(name: "x.ndjson.gz", bytes: 1000) }

    private static func status(_ number: Int) -> UploadError { .status(number, name: "x.ndjson.gz") }

    /// The steps that a series of replies leads to. Each reply comes from the address of the last redirect.
    private static func steps(_ replies: [HTTPReply]) -> [HTTPExchange.Step] {
        var exchange = begun()
        var place = url
        return replies.map { reply in
            let step = exchange.answered(reply, from: place)
            if case .request(_, let target?) = step { place = target }
            return step
        }
    }

    @Test(arguments: [200, 201, 202, 204, 207, 299])
    func `2xx to the whole body is done`(status: Int) {
        #expect(Self.steps([HTTPReply(status: status, sentBytes: 1000)]) == [.done(.stored)])
    }

    @Test(arguments: [0, 1, 999] as [Int64])
    func `2xx before the body had left is no success`(sent: Int64) {
        #expect(
            Self.steps([HTTPReply(status: 201, sentBytes: sent)])
                == [.done(.later(.acknowledgedEarly(name: "x.ndjson.gz", sent: sent, of: 1000), after: nil))])
    }

    @Test(arguments: [408, 409, 425, 429, 500, 501, 502, 503, 504, 507, 599])
    func `408, 409, 425, 429 and 5xx are tried again, after the server's pause or our own`(status: Int) {
        #expect(Self.steps([HTTPReply(status: status)]) == [.done(.later(Self.status(status), after: nil))])
        #expect(
            Self.steps([HTTPReply(status: status, retryAfter: .seconds(7))]) == [.done(.later(Self.status(status), after: .seconds(7)))])
    }

    @Test(arguments: [400, 402, 404, 405, 406, 410, 411, 413, 414, 415, 417, 422, 451, 499])
    func `all other 4xx are refused`(status: Int) {
        #expect(Self.steps([HTTPReply(status: status)]) == [.done(.refused(Self.status(status)))])
    }

    @Test(arguments: [401, 403])
    func `after 401 and 403 the headers are asked for once more, and then the segment waits`(status: Int) {
        let reply = HTTPReply(status: status)
        #expect(Self.steps([reply, reply]) == [.request(.put, to: nil), .done(.later(Self.status(status), after: nil))])
        #expect(Self.steps([reply, HTTPReply(status: 201)]) == [.request(.put, to: nil), .done(.stored)])
    }

    @Test(arguments: [
        (HTTPReply(status: 200, length: 1000), UploadAnswer.stored),
        (HTTPReply(status: 200, length: 28), .stored),
        (HTTPReply(status: 200, length: 999), .refused(.conflict(name: "x.ndjson.gz", bytes: 1000, there: 999))),
        (HTTPReply(status: 200, length: 0), .refused(.conflict(name: "x.ndjson.gz", bytes: 1000, there: 0))),
        (HTTPReply(status: 200, length: nil), .unconfirmed(.unconfirmed(name: "x.ndjson.gz", status: 200))),
        (HTTPReply(status: 405), .unconfirmed(.unconfirmed(name: "x.ndjson.gz", status: 405))),
        (HTTPReply(status: 501), .unconfirmed(.unconfirmed(name: "x.ndjson.gz", status: 501))),
        (HTTPReply(status: 404), .later(.status(404, name: "x.ndjson.gz"), after: nil)),
        (HTTPReply(status: 503, retryAfter: .seconds(3)), .later(.status(503, name: "x.ndjson.gz"), after: .seconds(3))),
    ])
    func `after 412 the length of the stored file decides`(head: HTTPReply, answer: UploadAnswer) {
        #expect(Self.steps([HTTPReply(status: 412), head]) == [.request(.head, to: nil), .done(answer)])
    }

    @Test func `401 to HEAD asks for the headers once more, too`() {
        let refused = HTTPReply(status: 401)
        #expect(
            Self.steps([HTTPReply(status: 412), refused, refused])
                == [.request(.head, to: nil), .request(.head, to: nil), .done(.later(Self.status(401), after: nil))])
    }

    @Test func `403 to HEAD, also with new headers, confirms nothing`() {
        let forbidden = HTTPReply(status: 403)
        #expect(
            Self.steps([HTTPReply(status: 412), forbidden, forbidden])
                == [
                    .request(.head, to: nil), .request(.head, to: nil),
                    .done(.unconfirmed(.unconfirmed(name: "x.ndjson.gz", status: 403))),
                ])
    }

    @Test func `without an address for HEAD, 412 confirms nothing; without one for PUT nothing is sent`() {
        var exchange = Self.begun()
        #expect(exchange.hasNoAddress() == .done(.refused(.headers("it gave no address for x.ndjson.gz"))))
        _ = exchange.answered(HTTPReply(status: 412), from: Self.url)
        #expect(exchange.hasNoAddress() == .done(.unconfirmed(.unconfirmed(name: "x.ndjson.gz", status: nil))))
    }

    @Test(arguments: [307, 308], ["/elsewhere/x", "https://collect.example.org/y", "https://COLLECT.example.org:443/y", "y?token=1"])
    func `307 and 308 to the same origin get the whole file again`(status: Int, place: String) {
        let target = URL(string: place, relativeTo: Self.url)!.absoluteURL
        #expect(
            Self.steps([HTTPReply(status: status, location: place), HTTPReply(status: 412), HTTPReply(status: 200, length: 1000)])
                == [.request(.put, to: target), .request(.head, to: target), .done(.stored)])
    }

    @Test(arguments: [
        "https://evil.example.org/x", "http://collect.example.org/x", "https://collect.example.org:8443/x", "//evil.example.org/x",
        "https://collect.example.org.evil.example/x", "https://collect.example.org@evil.example/x", "ftp://collect.example.org/x", "",
        "http://[",
    ])
    func `no request goes to another origin, or to a text that is no address`(place: String) {
        for status in [307, 308] {
            let steps = Self.steps([HTTPReply(status: status, location: place)])
            // By RFC 3986 an empty reference is the same address. The request is repeated there, and only the limit of redirects ends that.
            if case .request(_, let target?) = steps[0] {
                #expect(target.isSameOrigin(as: Self.url) && place.isEmpty)
            } else {
                #expect(steps == [.done(.refused(.redirected(status: status, to: place)))])
            }
        }
    }

    @Test(arguments: [300, 301, 302, 303, 304, 305, 306, 399])
    func `a redirect that may lose the body is refused`(status: Int) {
        #expect(
            Self.steps([HTTPReply(status: status, location: "/y")]) == [.done(.refused(.redirected(status: status, to: "/y")))])
    }

    @Test func `a redirect without a place and one without end are refused`() {
        #expect(Self.steps([HTTPReply(status: 307)]) == [.done(.refused(.redirected(status: 307, to: nil)))])
        let loop = Array(repeating: HTTPReply(status: 307, location: "/y"), count: 6)
        #expect(Self.steps(loop).last == .done(.refused(.redirected(status: 307, to: "/y"))))
        #expect(Self.steps(loop).count == 6)
    }

    @Test(arguments: [0, 100, 199, -1, 1000])
    func `a status that HTTP does not have is tried again`(status: Int) {
        #expect(Self.steps([HTTPReply(status: status)]) == [.done(.later(Self.status(status), after: nil))])
    }

    @Test(arguments: [
        "", "collect.example.org/in", "ftp://h/x", "file:///tmp/x", "https://", "https:///in/", "mailto:a@b.org", "no address",
        "https://h/in#x", "https://h/in?to=#",
    ])
    func `a text that is no address is refused and named`(text: String) {
        #expect(throws: UploadError.badAddress(text)) { try HTTPDestination(address: text) }
        #expect("\(UploadError.badAddress(text))".contains("'\(text)'"))
    }
}
