/// The exit status. Scripts rely on these numbers.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case fine = 0
    case failure = 1
    /// The command line makes no sense, or a file of its flags that says what to ask cannot be read.
    case usage = 2
    /// The input is damaged: with `--strict`, or if the command looks for damage.
    case damaged = 3
    /// The result does not pass a gate such as `--fail-under`.
    case gateMissed = 4

    /// For the manual.
    var meaning: String {
        switch self {
        case .fine: "All went well, also where a name occurs nowhere and all counts are 0"
        case .failure: "Something could not be read or written"
        case .usage: "The command line makes no sense, or the file of --plan, --funnels, --only-users or --not-users cannot be read"
        case .damaged: "The input is damaged: under --strict, and from check, repair and inspect"
        case .gateMissed:
            "The result does not pass --fail-under or --fail-drop; plan check found what is not planned, or plan diff what breaks reports"
        }
    }
}
