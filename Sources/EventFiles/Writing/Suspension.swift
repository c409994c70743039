/// Whether a writer is suspended, and who has woken it for a while. ``WriterMonitor`` guards it.
///
/// It says what the writer is to be. The thread follows: it gives back the folder (``WriterThread/letGo()``) and opens it again.
struct Suspension {
    private(set) var isOn = false
    /// How often somebody has suspended or resumed the writer.
    private var round = 0
    private var works = 0

    mutating func set(_ isOn: Bool) { (self.isOn, round, works) = (isOn, round + 1, 0) }

    /// A piece of work begins; gives what ``workEnds(_:)`` needs, and `nil` where the writer is awake without it.
    mutating func workBegins() -> Int? {
        if !isOn && works == 0 { return nil }
        if isOn { set(false) }
        works += 1
        return round
    }

    /// A piece of work has ended; says whether it was the last, nobody has decided anything meanwhile, and the writer is to be suspended.
    mutating func workEnds(_ began: Int) -> Bool {
        guard began == round else { return false }
        works -= 1
        if works == 0 { set(true) }
        return isOn
    }
}
