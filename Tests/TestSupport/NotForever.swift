package import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit for tests that wait for other threads and would hang if one of these did not wake.
    ///
    /// All tests of a run start at once and then wait for their turn, and the limit counts that wait, too. So it has to be longer than a
    /// whole run takes on a slow machine.
    package static var notForever: Self { .timeLimit(.minutes(25)) }
}
