extension LogOutput {
    /// Hands each line to a closure.
    ///
    /// ```swift
    /// system.attach(.log(to: .closure { lines.append($0) }))
    /// ```
    /// - Parameter take: gets a line without a line feed at its end. The system keeps the closure: hold views weakly in it.
    public static func closure(_ take: @escaping (String) -> Void) -> LogOutput { LogOutput { line, _ in take(line) } }
}
