extension Invocation {
    /// Refuses to write the result over something that it is made of, by whatever name or link.
    ///
    /// - Parameter files: what is read beside the operands and the files that flags name.
    func refuseOutput(among files: [String] = []) throws(UsageError) {
        guard let output = arguments[CommonFlags.output], output != "-", let place = FileIdentity(output) else { return }
        let asked = command.flags.filter { $0.value?.isFile == true && $0.name != CommonFlags.output.declaration.name }
        let named = asked.flatMap { flag -> [String] in
            let value = arguments.value(of: flag)
            return value as? [String] ?? (value as? String).map { [$0] } ?? []
        }
        if let input = (files + arguments.operands + named).first(where: { $0 != "-" && FileIdentity($0) == place }) {
            throw UsageError("-o `\(output)` is what the result is made of: writing it would destroy `\(input)`; choose another name")
        }
    }
}
