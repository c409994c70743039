import TrackingPlans
let sink = MemorySink()
let bytes = Array(#"{"plan":1,"name":"Shop","events":{}}"#.utf8)
