/// Operators for errors. They pass a `CancellationError` on.
extension Next {
    /// Turns an error of the work into another.
    public func mapError(_ transform: @escaping (any Error) -> any Error) -> Next { recover { .failure(transform($0)) } }

    /// Answers an error of the work with a value or with other work. The loading value stays meanwhile, unless the other work has
    /// its own.
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
