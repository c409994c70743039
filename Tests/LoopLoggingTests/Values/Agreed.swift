import LoopLogging
import Testing

/// What `make` makes of values without kept layouts. It expects the same with kept layouts, read in place and by mirrors, both when a type
/// is new and when it is known.
func agreed<State, Event, Made: Equatable>(
    _ values: LogValues<State, Event>, sourceLocation: SourceLocation = #_sourceLocation, _ make: (LogValues<State, Event>) -> Made
) -> Made {
    let reflected = make(values)
    for reflection in [LogReflection.inPlace, .mirror] {
        var kept = values
        kept.reflection = reflection
        kept = kept.keepingLayouts()
        #expect(make(kept) == reflected, sourceLocation: sourceLocation)
        #expect(make(kept) == reflected, sourceLocation: sourceLocation)
    }
    return reflected
}
