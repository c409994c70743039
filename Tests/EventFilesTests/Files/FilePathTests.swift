import Testing

@testable import EventFiles

@Suite struct FilePathTests {
    @Test(
        "a path is a folder and a name, and both lead back to it",
        arguments: [
            ("a", ".", "a", "./a"), ("/a", "/", "a", "/a"), ("x/a", "x", "a", "x/a"), ("/x/y/a", "/x/y", "a", "/x/y/a"),
            ("x/", "x", "", "x/"),
            // In Swift a slash and a combining mark are one character that is no slash. The file system sees the slash.
            ("x/\u{301}a", "x", "\u{301}a", "x/\u{301}a"), ("/\u{301}a", "/", "\u{301}a", "/\u{301}a"),
        ])
    func parts(path: String, folder: String, name: String, text: String) {
        let parts = FilePath(path)
        #expect(parts.folder == folder && parts.name.unicodeScalars.elementsEqual(name.unicodeScalars) && parts.text == text)
    }

    @Test("slashes at a folder's end count as one", arguments: [("x", "x/a"), ("x///", "x/a"), ("/", "/a"), ("///", "/a"), ("./", "./a")])
    func folders(folder: String, text: String) {
        #expect(FilePath(folder: folder, name: "a").text == text)
    }
}
