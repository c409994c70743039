extension Next {
    /// The value turned into another. The loading value is turned, too.
    public func map<Other>(_ transform: @escaping (Value) -> Other) -> Next<Other> {
        switch plan {
        case .value(let value): .state(transform(value))
        case .work(let work, let loading):
            Next<Other>(.work({ try await work().map(transform) }, loading: loading.map(transform)), key: key)
        }
    }

    /// Goes on with what the value leads to: first this, then that.
    ///
    /// The loading value stays until the second part ends or shows its own. Where the two parts differ in type, what
    /// `transform` gives for the loading value, without any work, stands for it.
    public func flatMap<Other>(_ transform: @escaping (Value) -> Next<Other>) -> Next<Other> {
        switch plan {
        case .value(let value): transform(value)
        case .work(let work, let loading):
            Next<Other>(
                .work(
                    { try await work().flatMap(transform) },
                    loading: loading.flatMap { shown in
                        // By the type and not by a cast alone, which takes an empty optional for an empty one of any other type.
                        if Value.self == Other.self { return shown as? Other }
                        return transform(shown).now ?? shown as? Other
                    }), key: key)
        }
    }
}
