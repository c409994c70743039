import TestSupport
import Testing

@testable import TrackingEvents

/// Compares paths through random properties with the tree that the properties were made from.
@Suite struct PropertyPathsTests {
    private indirect enum Tree {
        case scalar(String)
        case array([Tree])
        case object([(key: String, value: Tree)])

        var text: String {
            switch self {
            case .scalar(let text): text
            case .array(let items): "[" + items.map(\.text).joined(separator: " , ") + "]"
            case .object(let entries):
                "{ " + entries.map { PropertyPathsTests.quoted($0.key) + " :" + $0.value.text }.joined(separator: ",") + "}"
            }
        }

        func text(at path: ArraySlice<String>) -> String? {
            guard let key = path.first else { return text }
            guard case .object(let entries) = self, let found = entries.last(where: { $0.key == key }) else { return nil }
            return found.value.text(at: path.dropFirst())
        }
    }

    /// Quoted, with every third UTF-16 unit as an escape, and every unit that is not plain ASCII.
    private static func quoted(_ key: String) -> String {
        var text = "\""
        for (place, unit) in key.utf16.enumerated() {
            let isPlain = unit >= 0x20 && unit < 0x7F && unit != 0x22 && unit != 0x5C
            if isPlain && place % 3 != 2 {
                text.unicodeScalars.append(Unicode.Scalar(unit) ?? " ")
            } else {
                let hex = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
        }
        return text + "\""
    }

    private static let keys = ["", "a", "b", "a.b", "abcd", "é", "😀", "\"", "\\", "\n", "a\0", "{}", "a b"]

    private func tree(_ depth: Int, _ random: inout SeededRandom) -> Tree {
        let choice = depth == 0 ? 0 : Int.random(in: 0..<6, using: &random)
        let count = Int.random(in: 0..<4, using: &random)
        switch choice {
        case 0, 1: return .scalar(["null", "true", "false", "-1.5e3", "0", #""}\"{""#, #""""#].randomElement(using: &random) ?? "0")
        case 2: return .array((0..<count).map { _ in tree(depth - 1, &random) })
        default:
            return .object((0..<count).map { _ in (Self.keys.randomElement(using: &random) ?? "", tree(depth - 1, &random)) })
        }
    }

    /// How the value at a path is written.
    private func written(_ path: [String], _ properties: [UInt8]) -> String? {
        properties.withUnsafeBytes { bytes in
            guard let value = PropertyReader(path: path).value(in: bytes) else { return nil }
            let text = String(decoding: value.text.bytes(in: bytes), as: UTF8.self)
            return value.kind == .string ? "\"" + text + "\"" : text
        }
    }

    @Test(arguments: 0..<(isNight ? 8 : 2))
    func `every path gives the value that the tree has there`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<40 {
            let made = Tree.object((0..<5).map { _ in (Self.keys.randomElement(using: &random) ?? "", tree(3, &random)) })
            let bytes = Array(made.text.utf8)
            for first in Self.keys {
                #expect(written([first], bytes) == made.text(at: [first]), "\(made.text)")
                for second in Self.keys { #expect(written([first, second], bytes) == made.text(at: [first, second]), "\(made.text)") }
            }
        }
    }

    @Test func `properties cut or changed at any byte never crash the reader or give a value that is not there`() {
        let good = Array(#"{"a":{"b":[1,{"c":2}],"d":"x\n"},"e":1.5e2}"#.utf8)
        for path in [["a"], ["a", "b"], ["a", "d"], ["e"], ["none"]] {
            for end in 0..<good.count { #expect(written(path, Array(good[..<end])) == nil) }
            for place in good.indices {
                for byte in Array(#"{}[]",:\0"#.utf8) + [0, 0xFF] {
                    var changed = good
                    changed[place] = byte
                    if path == ["none"] { #expect(written(path, changed) == nil) } else { _ = written(path, changed) }
                }
            }
        }
    }

    @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 500])
    func `properties are read up to the limit of nesting, and not beyond it`(depth: Int) {
        for (open, close) in [("[", "]"), (#"{"k":"#, "}")] {
            let inner = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            let properties = Array(#"{"a":\#(inner),"b":2}"#.utf8)
            #expect((written(["b"], properties) != nil) == (depth <= EventLineScanner.depthLimit))
        }
    }
}
