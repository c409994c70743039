/// Cancellation is no error to these operators: it stays what it is.
extension Next {
    /// The same with another error.
    public func mapError(_ transform: @escaping (any Error) -> any Error) -> Next { recover { .failure(transform($0)) } }

    /// The same, with an error of the work turned into a value.
    public func mapErrorRecover(_ recover: @escaping (any Error) -> Value) -> Next { self.recover { .state(recover($0)) } }

    /// The same, with an error of the work answered by other work. The loading value stays meanwhile, unless the other work has
    /// its own.
    public func recover(_ recover: @escaping (any Error) -> Next) -> Next {
        guard case .work(let work, let loading) = plan else { return self }
        return Next(
            .work(
                {
                    do {
                        // What follows may fail as well.
                        return try await work().recover(recover)
                    } catch let error as CancellationError {
                        throw error
                    } catch {
                        return recover(error)
                    }
                }, loading: loading))
    }
}
