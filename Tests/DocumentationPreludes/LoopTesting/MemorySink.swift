import Testing
import LoopTracking
import TrackingPlans
let plan = try TrackingPlan(Array(#"{"plan":1,"name":"Shop","events":{}}"#.utf8))
