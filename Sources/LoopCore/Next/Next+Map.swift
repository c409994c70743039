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
    /// The loading value stays until the second part ends or shows its own. If the two parts differ in type, what is shown
    /// is what `transform` gives for the loading value without any work.
    public func flatMap<Other>(_ transform: @escaping (Value) -> Next<Other>) -> Next<Other> {
        switch plan {
        case .value(let value): transform(value)
        case .work(let work, let loading):
            Next<Other>(
                .work(
                    { try await work().flatMap(transform) },
                    loading: loading.flatMap { shown in
                        // Compared by type: a cast alone takes an empty optional for an empty one of any other type.
                        if Value.self == Other.self { return shown as? Other }
                        return transform(shown).now ?? shown as? Other
                    }), key: key)
        }
    }
}
