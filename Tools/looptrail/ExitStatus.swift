/// What the command says to whoever started it. Scripts rely on these numbers.
enum ExitStatus: Int32, Sendable {
    case fine = 0
    case failure = 1
    /// The command line makes no sense.
    case usage = 2
    /// The input is damaged, under `--strict` or by the word of `check`.
    case damaged = 3
}
