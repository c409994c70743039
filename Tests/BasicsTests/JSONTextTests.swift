import Foundation
import Testing
import TrackingEvents
import Basics

@Suite struct JSONTextTests {
    private func text(_ write: (ByteBuffer) -> Void) -> String {
        let bytes = ByteBuffer(capacity: 8)
        write(bytes)
        return bytes.text
    }

    private static let edges: [Int64] = {
        var edges: [Int64] = [0, .min, .max, .min + 1, .max - 1]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            edges += [power - 1, power, power + 1, -power + 1, -power, -power - 1]
        }
        return edges
    }()

    @Test func `whole numbers are written as Swift writes them, at every number of digits`() {
        for number in Self.edges { #expect(text { JSONText.append(number, to: $0) } == String(number)) }
        var random = SeededRandom(seed: 11)
        for _ in 0..<5_000 {
            let number = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<63, using: &random)
            #expect(text { JSONText.append(number, to: $0) } == String(number))
        }
    }

    @Test func `random doubles read back equal and never look like integers`() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<5_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let written = text { JSONText.append(number, to: $0) }
            #expect(Double(written) == number)
            #expect(written.contains { $0 == "." || $0 == "e" })
        }
    }

    @Test func `every character up to U+00FF reads back through a strict parser`() throws {
        for value in 0...0xFF as ClosedRange<UInt32> {
            let scalar = try #require(Unicode.Scalar(value))
            let original = "a\(Character(scalar))b"
            let json = "[" + text { JSONText.append(original, to: $0) } + "]"
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String])
            #expect(Array(parsed[0].utf8) == Array(original.utf8), "U+\(String(value, radix: 16))")
        }
    }

    @Test func `control characters never stand raw`() {
        for value in 0..<0x20 as Range<UInt8> {
            let written = text { JSONText.append(String(decoding: [value], as: UTF8.self), to: $0) }
            #expect(written.utf8.allSatisfy { $0 >= 0x20 })
            #expect(written.hasPrefix("\"\\"))
        }
    }

    @Test(arguments: [
        ("", 0, "", false), ("abc", 3, "abc", false), ("abc", 2, "ab", true), ("abc", 0, "", true),
        ("é", 1, "", true), ("é", 2, "é", false), ("a🛒", 4, "a", true), ("a🛒", 5, "a🛒", false), ("日本", 5, "日", true),
        ("\"\"", 1, "\\\"", true),
    ])
    func `a text is cut at a whole scalar`(original: String, limit: Int, expected: String, wasCut: Bool) {
        var cut = false
        #expect(text { JSONText.append(original, atMost: limit, to: $0, cut: &cut) } == "\"\(expected)\"")
        #expect(cut == wasCut)
    }

    @Test func `a text that fits does not reset the flag of an earlier cut`() {
        var cut = true
        _ = text { JSONText.append("fits", atMost: 10, to: $0, cut: &cut) }
        #expect(cut)
    }

    @Test func `a text that is not stored as UTF-8 in one piece is written like any other`() {
        let bridged = NSString(string: "naïve \"quoted\" 🛒") as String
        #expect(text { JSONText.append(bridged, to: $0) } == #""naïve \"quoted\" 🛒""#)
    }

    @Test func `escapes at the beginning, the end and side by side keep what stands between`() {
        #expect(text { JSONText.append("\n", to: $0) } == #""\n""#)
        #expect(text { JSONText.append("\na\n", to: $0) } == #""\na\n""#)
        #expect(text { JSONText.append("\"\\\"", to: $0) } == #""\"\\\"""#)
    }

    /// Tries each ASCII byte at each index of each length up to 20: copying eight bytes at a time must agree with a check byte by byte.
    @Test func `a byte to escape is found at every index of every length`() {
        for length in 0...20 {
            for index in 0..<max(length, 1) {
                for byte in UInt8.min...127 {
                    var source = [UInt8](repeating: UInt8(ascii: "z"), count: length)
                    if index < length { source[index] = byte }
                    var target = [UInt8](repeating: 0, count: length + 1)
                    let isPlain = source.withUnsafeBufferPointer { source in
                        target.withUnsafeMutableBufferPointer { JSONText.copy(source, to: $0.baseAddress!) }
                    }
                    let expected = source.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                    #expect(isPlain == expected)
                    if isPlain { #expect(Array(target.dropLast()) == source) }
                    #expect(target.last == 0)
                }
            }
        }
    }

    @Test func `a number with at most three decimals is written as its description is`() {
        var random = SeededRandom(seed: 5)
        let bytes = ByteBuffer(capacity: 64)
        var mistaken: [Double] = []
        for round in 0..<20_000 {
            let whole = Int64(random.next() >> UInt64(14 + round % 50))
            for number in [Double(whole) / 100, -Double(whole) / 100, Double(whole) / 1000, Double(whole)] {
                bytes.removeAll()
                JSONText.append(number, to: bytes)
                if bytes.text != number.description { mistaken.append(number) }
            }
        }
        #expect(mistaken == [])
    }
}
