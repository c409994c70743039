public func autoreleasepool<Failure, Result: ~Copyable>(invoking body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try body()
}
