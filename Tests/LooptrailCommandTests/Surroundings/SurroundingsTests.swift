import Basics
import Testing
import TrackingEvents

@testable import looptrail

extension Surroundings {
    /// Surroundings of these values instead of the machine's.
    static func made(
        _ variables: [String: String] = [:], terminals: Set<Int32> = [], columns: Int? = nil, now: Int64 = 0
    ) -> Surroundings {
        Surroundings(
            variable: { variables[$0] }, standardInput: 0, standardOutput: 1, standardError: 2,
            isTerminal: { terminals.contains($0) }, terminalColumns: { terminals.contains($0) ? columns : nil },
            clock: WallClock { now }, monotonicSeconds: { 0 })
    }
}

@Suite struct SurroundingsTests {
    @Test(
        arguments: [
            ([:], false), (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), (["LANG": ""], false),
            (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LANG": "de_DE.UTF-8"], true),
            (["LC_CTYPE": "de_DE.UTF-8", "LANG": "C"], true), (["LC_CTYPE": "POSIX", "LANG": "de_DE.UTF-8"], false),
            (["LC_ALL": "ja_JP.UTF8", "LC_CTYPE": "C"], true), (["LANG": "de_DE.ISO-8859-1"], false),
        ] as [([String: String], Bool)])
    func `the first locale that is set decides on UTF-8`(_ variables: [String: String], _ isUTF8: Bool) {
        #expect(Surroundings.made(variables).isUTF8 == isUTF8)
    }

    @Test func `a pipe has a reader until its other end is closed`() throws {
        let (readEnd, writeEnd) = try Child.makePipe()
        defer { close(writeEnd) }
        var surroundings = Surroundings.made()
        surroundings.standardOutput = writeEnd
        #expect(surroundings.hasReader)
        close(readEnd)
        #expect(!surroundings.hasReader)
        surroundings.standardOutput = open("/dev/null", O_WRONLY)
        defer { close(surroundings.standardOutput) }
        #expect(surroundings.hasReader)
    }

    @Test(
        arguments: [
            ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
            (["TERM": "dumb"], true, false), (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false),
        ] as [([String: String], Bool, Bool)])
    func `colours need a terminal that wants them`(_ variables: [String: String], _ isTerminal: Bool, _ allows: Bool) {
        #expect(Surroundings.made(variables, terminals: isTerminal ? [1] : []).allowsColour(on: 1) == allows)
    }

    @Test(
        arguments: [
            ([:], true, 132, 132), ([:], true, nil, 80), ([:], false, nil, nil), (["COLUMNS": "60"], true, 132, 60),
            (["COLUMNS": "60"], false, nil, 60), (["COLUMNS": "wide"], true, 132, 132), (["COLUMNS": "0"], false, nil, nil),
            (["COLUMNS": "5"], true, 132, 132), (["COLUMNS": "-60"], true, 132, 132),
        ] as [([String: String], Bool, Int?, Int?)])
    func `the width is what COLUMNS says, else the terminal's`(
        _ variables: [String: String], _ isTerminal: Bool, _ terminal: Int?, _ columns: Int?
    ) {
        #expect(Surroundings.made(variables, terminals: isTerminal ? [1] : [], columns: terminal).columns(of: 1) == columns)
    }
}
