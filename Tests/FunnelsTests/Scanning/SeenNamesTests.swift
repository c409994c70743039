import Testing

@testable import Funnels

@Suite("Names seen")
struct SeenNamesTests {
    private func unseen(_ steps: String, among names: [String]) throws -> [UnseenName] {
        var seen = SeenNames()
        for name in names { seen.insert(Array(name.utf8)) }
        return seen.unseen(in: try FunnelDefinition(steps: FunnelStep.parse(steps)))
    }

    @Test func `each missing name is told once, in the order of the steps`() throws {
        #expect(
            try unseen("b_step > a_step > b_step > (seen | c_step)", among: ["seen", "a_stop"]) == [
                UnseenName(name: "b_step", nearest: "a_stop"), UnseenName(name: "a_step", nearest: "a_stop"),
                UnseenName(name: "c_step", nearest: "a_stop"),
            ])
    }

    @Test func `any event needs no name`() throws {
        #expect(try unseen("*", among: []).isEmpty)
    }

    @Test func `the suggestion does not depend on the order of the data`() throws {
        #expect(try unseen("step", among: ["stepa", "stepb"]) == unseen("step", among: ["stepb", "stepa"]))
    }

    @Test func `beyond ten thousand names no more are held as text, and all are known`() throws {
        let names = (0..<12_000).map { "name \($0)" }
        var seen = SeenNames()
        for name in names { seen.insert(Array(name.utf8)) }
        #expect(seen.texts.count == SeenNames.mostTexts)
        #expect(try unseen(#""name 11999" > "name 0""#, among: names).isEmpty)
    }
}
