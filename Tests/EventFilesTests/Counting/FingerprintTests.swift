import Testing
import TrackingEvents

@testable import EventFiles

@Suite("Fingerprints")
struct FingerprintTests {
    private func fingerprint(_ text: String) -> Fingerprint {
        Array(text.utf8).withUnsafeBytes { Fingerprint.of($0) }
    }

    @Test func `both halves tell texts apart`() {
        let all = (0..<20_000).map { Fingerprint.of("id-\($0)") }
        #expect(Set(all.map(\.high)).count == 20_000 && Set(all.map(\.low)).count == 20_000)
    }

    @Test func `inserting a batch reports the indices of repeated fingerprints and skips empty ones`() {
        var set = FingerprintSet()
        var repeated: [Int] = []
        set.insert([1, 2, .none, 1, 3, .none, 2]) { repeated.append($0) }
        #expect(repeated == [3, 6])
        set.insert((1...200).map { Fingerprint($0) }) { repeated.append($0) }
        #expect(repeated == [3, 6, 0, 1, 2])
        #expect(set.count == 200)
    }

    @Test func `texts that differ little have different fingerprints`() {
        var texts: Set<String> = ["", "\0", "\0\0", "a", "a\0", "\0a"]
        for number in 0..<20_000 {
            texts.insert("u\(number)")
            texts.insert(String(repeating: "x", count: number % 40) + "\(number)")
            texts.insert("\(number)" + String(repeating: "0", count: number % 9))
            texts.insert("0193d5a0-7c11-7abc-8def-" + String(100_000_000_000 + number))
        }
        #expect(Set(texts.map(fingerprint)).count == texts.count)
        #expect(!texts.map(fingerprint).contains(.none))
    }

    @Test func `each bit of a text moves about half of the fingerprint's bits`() {
        let text = Array("0193d5a0-7c11-7abc-8def-0123456789ab".utf8)
        let whole = text.withUnsafeBytes { Fingerprint.of($0) }
        for bit in 0..<(text.count * 8) {
            var changed = text
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let other = changed.withUnsafeBytes { Fingerprint.of($0) }
            for moved in [whole.high ^ other.high, whole.low ^ other.low].map(\.nonzeroBitCount) {
                #expect((12...52).contains(moved), "bit \(bit) moved \(moved)")
            }
        }
    }

    /// Summaries on disk hold fingerprints, so these must never change. The values are from a separate script.
    @Test(arguments: [
        (0, "5750d947e86577e39b41927c31ea8b89"),
        (3, "560739c7f90066ecfbca156f5caba9b1"),
        (7, "a8a61ec2e8e8cd4095146dea47032d14"),
        (8, "609e47e933587f22b30361bc9df031ac"),
        (9, "b57cfb428abb2ff0df82d0d09c994c33"),
        (17, "8bec2d69fe8a049c0a543d8670e5ec6a"),
        (36, "2a2e8f4a2675c9d01074bca458acfbac"),
    ])
    func `a text has the fingerprint that files hold for it`(length: Int, wanted: String) {
        #expect(fingerprint(String("0193d5a0-7c11-7abc-8def-0123456789ab".prefix(length))).hexadecimal == wanted)
    }

    @Test func `a fingerprint joined from two depends on both and on their order`() {
        #expect(Fingerprint.of(1, 2) != Fingerprint.of(2, 1))
        #expect(Fingerprint.of(1, 2) != Fingerprint.of(1, 3))
    }

    @Test func `a set knows what it has seen, however much that is`() {
        var set = FingerprintSet()
        var known: Set<Fingerprint> = []
        var random = SeededRandom(seed: 3)
        var mistaken = 0
        for _ in 0..<60_000 {
            // Few high and low bits, so that shards and slots collide.
            let fingerprint = Fingerprint((random.next() & 0x0C00_0000_0000_FFFF) | 1 << 40)
            if set.insert(fingerprint) != known.insert(fingerprint).inserted { mistaken += 1 }
        }
        #expect(mistaken == 0)
        #expect(set.count == known.count)
    }

    @Test("new fingerprints are told from known ones, whatever share is known", arguments: [0, 1, 10, 50, 99])
    func shares(knownPercent: UInt64) {
        var set = FingerprintSet()
        var known: Set<Fingerprint> = []
        var random = SeededRandom(seed: knownPercent)
        var all: [Fingerprint] = []
        var mistaken = 0
        for _ in 0..<100_000 {
            let isKnown = !all.isEmpty && random.next() % 100 < knownPercent
            let fingerprint = isKnown ? all[Int(random.next() % UInt64(all.count))] : Fingerprint(random.next() | 1)
            all.append(fingerprint)
            if set.insert(fingerprint) != known.insert(fingerprint).inserted { mistaken += 1 }
        }
        #expect(mistaken == 0)
        #expect(set.count == known.count)
    }

    @Test func `texts of every length that differ in one byte have different fingerprints`() {
        for count in 0..<40 {
            var text = (0..<count).map { UInt8($0) }
            var seen: Set<Fingerprint> = [text.withUnsafeBytes { Fingerprint.of($0) }]
            for place in text.indices {
                text[place] ^= 0x20
                #expect(seen.insert(text.withUnsafeBytes { Fingerprint.of($0) }).inserted)
                text[place] ^= 0x20
            }
            #expect(!seen.contains((text + [0]).withUnsafeBytes { Fingerprint.of($0) }))
        }
    }
}
