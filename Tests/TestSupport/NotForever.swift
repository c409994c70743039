package import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that wait for other threads, and would wait for ever if one slept on.
    ///
    /// All tests of a run begin at once, wait for their turn, and time counts from there: no limit that is shorter than a whole run on a slow
    /// machine says anything about a test.
    package static var notForever: Self { .timeLimit(.minutes(25)) }
}
