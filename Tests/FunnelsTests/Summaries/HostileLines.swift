import TrackingEvents

/// Random lines as writers of the format and everybody else might leave them: drifting types, odd spellings, copies, gaps, bad lines.
struct HostileLines {
    var random: SeededRandom
    private var sequences: [Int: Int] = [:]
    private var time: Int64 = 1_767_225_600_000
    private var made: [String] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

    /// Makes lines, if `isNative` all as a writer of the format makes them. If `copies`, about one in 15 repeats an earlier line.
    mutating func lines(_ count: Int, isNative: Bool, copies: Bool) -> [String] {
        (0..<count).map { _ in
            time += Int64(below(4000)) - 200
            if copies, !made.isEmpty, below(15) == 0 { return made[below(made.count)] }
            let line = isNative || below(3) > 0 ? nativeLine() : oddLine()
            made.append(line)
            return line
        }
    }

    private mutating func nativeLine() -> String {
        let session = below(12)
        // About one sequence number in 20 is missing.
        sequences[session, default: 0] += below(20) == 0 ? 2 : 1
        let user = pick(["u1", "u2", "u\(session)", "a-\(session)"])
        let head = #"{"v":1,"t_ms":\#(time),"name":"#
        let id = EventID(milliseconds: time, random: &random).description
        let rest = #","user":"\#(user)","session":"s\#(session)","seq":\#(sequences[session]!),"id":"\#(id)""#
        switch below(14) {
        case 0: return head + #""identified""# + rest + #","type":"meta","props":{"anonymous":"a-\#(below(12))"}}"#
        case 1:
            let props = pick([#""app":"x","os":{"name":"Linux"}"#, #""app":"y","os":{"name":"Mac"}"#, #""sample_rate":0.5,"repeat":true"#])
            return head + #""session_started""# + rest + #","type":"meta","props":{\#(props)}}"#
        case 2: return head + #""timing""# + rest + #","type":"timing","system":"shop","props":{}}"#
        default:
            let system = below(4) == 0 ? #","system":"\#(pick(["shop", "Ünï", "loop"]))""# : ""
            return head + #""\#(pick(["a", "b", "c", "d"]))""# + rest + system + #","props":\#(properties())}"#
        }
    }

    private mutating func properties() -> String {
        var members: [String] = []
        if below(3) > 0 {
            members.append(#""price":\#(pick(["9.5", "10.0", "50.25", "1e3", "100", "-0", "0.10", #""60""#, "1e999", "5e-324"]))"#)
        }
        if below(3) > 0 {
            members.append(
                #""sku":\#(pick([#""A1""#, #""a1""#, #""Ü\u0041\n""#, "7", "nope", "true", "null", #""""#, "[1,2]", #""\ud800""#]))"#)
        }
        if below(4) == 0 {
            members.append(#""order":{"ID":\#(below(5)),"lines":[{"n":1}],"deep":{"x":\#(below(3)),"y":null},"none":{}}"#)
        }
        if below(5) == 0 { members.append(#""Price":\#(below(9))"#) }
        if below(8) == 0 { members.append(#""k\#(below(40))":\#(pick(["1", "1.5", #""t""#, "false"]))"#) }
        if below(12) == 0 { members.append(#""pr\u0069ce":\#(pick(["7", #""seven""#]))"#) }
        if below(20) == 0 { return "{" }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func oddLine() -> String {
        switch below(9) {
        case 0: return "nonsense"
        case 1: return #"{"v":2,"t_ms":1,"name":"a"}"#
        case 2: return #"{"props":{"price":\#(below(90))},"name":"a","t_ms":\#(time)}"#
        case 3:
            return
                #" { "t_ms" : \#(time) , "name" : "b" , "user" : "u\#(below(4))", "props" : { "sku" : "A1" , "price" : 70 } , "v" : 0 } "#
        case 4: return #"{"v":1,"t_ms":\#(time),"name":"a","user":"","id":"plain-\#(random.next())","props":{}}"#
        case 5: return #"{"v":1,"t_ms":\#(time),"name":"c","user":"u\u0031","session":"","id":"x\#(random.next())"}"#
        case 6:
            return
                #"{"v":1,"t_ms":\#(time),"name":"b\"q","user":"u2","session":"z\#(below(3))","seq":\#(below(30) + 1),"props":{"a":{"b":1}}}"#
        case 7:
            return
                #"{"v":1,"t_ms":\#(time),"name":"identified","user":"u\#(below(5))","type":"meta","props":{"anonymous":"a-\#(below(5))","x":1.0}}"#
        default: return #"{"v":1,"t_ms":\#(time),"name":"a","user":"u1","type":"track","props":{"price":1,"price":80,"sku":"B"}}"#
        }
    }
}
