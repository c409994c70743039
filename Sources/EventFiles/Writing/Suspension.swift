/// Whether a writer is suspended, and who has woken it for a while. ``WriterMonitor`` guards it.
///
/// It holds the state that is wanted. The thread follows: it closes the folder (``WriterThread/letGo()``), or opens it again.
struct Suspension {
    private(set) var isOn = false
    /// How often somebody has suspended or resumed the writer.
    private var round = 0
    private var works = 0

    mutating func set(_ isOn: Bool) { (self.isOn, round, works) = (isOn, round + 1, 0) }

    /// A piece of work begins. Gives what ``workEnds(_:)`` needs; `nil` if the writer stays awake anyway.
    mutating func workBegins() -> Int? {
        if !isOn && works == 0 { return nil }
        if isOn { set(false) }
        works += 1
        return round
    }

    /// A piece of work has ended. Says whether it suspends the writer: it was the last, and nobody else suspended or resumed meanwhile.
    mutating func workEnds(_ began: Int) -> Bool {
        guard began == round else { return false }
        works -= 1
        if works == 0 { set(true) }
        return isOn
    }
}
