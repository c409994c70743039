extension Next {
    /// This description with its value transformed. The loading value is transformed, too.
    public func map<Other>(_ transform: @escaping (Value) -> Other) -> Next<Other> {
        switch plan {
        case .value(let value): .state(transform(value))
        case .work(let work, let loading):
            Next<Other>(.work({ try await work().map(transform) }, loading: loading.map(transform)), key: key)
        }
    }

    /// Goes on with the description that `transform` makes of the value.
    ///
    /// The loading value stays until the second description ends or shows its own. If the types differ, `transform` is applied to the
    /// loading value, and what that gives without running work is shown: its value or its loading value.
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

    /// Answers an error of the work with a value, with other work or with another error (``failure(_:)``). A `CancellationError` is passed
    /// on. The loading value stays meanwhile, unless the other work has its own.
    public func recover(_ recover: @escaping (any Error) -> Next) -> Next {
        guard case .work(let work, let loading) = plan else { return self }
        return Next(
            .work(
                {
                    do {
                        // The work may end in further work, which may fail as well.
                        return try await work().recover(recover)
                    } catch let error as CancellationError {
                        throw error
                    } catch {
                        return recover(error)
                    }
                }, loading: loading), key: key)
    }
}
