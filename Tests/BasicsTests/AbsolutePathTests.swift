import Basics
import Foundation
import Testing

@Suite struct AbsolutePathTests {
    @Test(arguments: ["events", "./events/", "../events", "é", "."])
    func `a relative path begins at the working folder, and is otherwise as it was`(path: String) {
        #expect(path.absolutePath == FileManager.default.currentDirectoryPath + "/" + path)
    }

    @Test(arguments: ["/", "/events", "//events/..", ""])
    func `a path from the root and an empty one stay`(path: String) { #expect(path.absolutePath == path) }

    @Test func `in the root there is one slash, and without a working folder a path stays`() async {
        await #expect(processExitsWith: .success) {
            #expect(chdir("/") == 0)
            #expect("events".absolutePath == "/events")
            let gone = FileManager.default.temporaryDirectory.appending(path: "looptrail-gone-\(UUID())").path
            #expect(mkdir(gone, 0o700) == 0 && chdir(gone) == 0 && rmdir(gone) == 0)
            #expect("events".absolutePath == "events")
        }
    }
}
