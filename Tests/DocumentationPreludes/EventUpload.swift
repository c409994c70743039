import EventFiles
import Foundation

func token() async -> String { "" }
@MainActor let writer = try! EventFileWriter(folder: "events")
