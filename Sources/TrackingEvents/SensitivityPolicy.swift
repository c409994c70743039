/// What is written in place of a sensitive value. The value itself never reaches a file.
public enum SensitivityPolicy: Sendable, Equatable {
    /// The key is left out.
    case drop
    /// The key stays, its value is the text `***`.
    case mask
}
