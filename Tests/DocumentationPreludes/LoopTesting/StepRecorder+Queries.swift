import Testing
enum Shop {
    enum State: Equatable { case start }
    enum Event { case loaded(String) }
}
let recorder = StepRecorder<Shop.State, Shop.Event>()
