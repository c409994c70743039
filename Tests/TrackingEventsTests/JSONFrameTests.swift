import Foundation
import Testing
import TrackingEvents

@Suite struct JSONFrameTests {
    private func written(_ write: (inout JSONFrame) -> Void) -> String {
        var frame = JSONFrame(capacity: 0)
        write(&frame)
        return frame.text
    }

    private func number(_ number: Int64, _ frame: inout JSONFrame) { frame.value { JSONText.append(number, to: $0) } }

    @Test func `values of an array have a comma between them, and none before or after`() {
        for count in 0..<4 {
            let text = written { frame in
                frame.open("[")
                for value in 0..<count { number(Int64(value), &frame) }
                frame.close("]")
            }
            #expect(text == "[" + (0..<count).map(String.init).joined(separator: ",") + "]")
        }
    }

    @Test func `a key stands beside its value, whatever that is, and after a comma if a member came before`() {
        let text = written { frame in
            frame.open("{")
            frame.key("a")
            number(-1, &frame)
            frame.key("b")
            frame.open("[")
            frame.close("]")
            frame.key("c")
            frame.open("{")
            frame.close("}")
            frame.key("d")
            frame.value { JSONText.append("\"", to: $0) }
            frame.close("}")
            frame.endLine()
        }
        #expect(text == #"{"a":-1,"b":[],"c":{},"d":"\""}"# + "\n")
    }

    @Test func `what is nested counts as one value to those around it`() {
        let text = written { frame in
            frame.open("[")
            for _ in 0..<2 {
                frame.open("[")
                for value in 1...2 {
                    frame.open("{")
                    frame.key("n")
                    number(Int64(value), &frame)
                    frame.close("}")
                }
                frame.close("]")
            }
            number(7, &frame)
            frame.close("]")
        }
        #expect(text == #"[[{"n":1},{"n":2}],[{"n":1},{"n":2}],7]"#)
    }

    @Test func `a line break takes the comma that was due before it, and only that one`() throws {
        let text = written { frame in
            frame.open("{")
            frame.breakLine(" ")
            frame.key("a")
            number(1, &frame)
            frame.breakLine("  ")
            frame.key("b")
            frame.open("[")
            number(2, &frame)
            frame.breakLine("")
            number(3, &frame)
            frame.close("]")
            frame.close("}")
        }
        #expect(text == "{\n \"a\":1,\n  \"b\":[2,\n3]}")
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: NSObject]
        #expect(read == ["a": 1 as NSNumber, "b": [2, 3] as NSArray])
    }

    @Test func `it grows as far as it must`() throws {
        let text = written { frame in
            frame.open("[")
            for value in 0..<10_000 { number(Int64(value), &frame) }
            frame.close("]")
        }
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Int] == Array(0..<10_000))
    }
}
