import LoopRecording

let recording = Recording("")
func isBroken(_ recording: Recording) async -> Bool { recording.text.isEmpty }
