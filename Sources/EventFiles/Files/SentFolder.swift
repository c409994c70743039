/// The folder `.sent/`: segments that a destination has acknowledged, until they are removed. Readers leave out what begins with a dot.
///
/// A segment comes here by one rename and under its own name. A file in here has been taken: its removal loses nothing.
package enum SentFolder {
    package static let name = ".sent"
}
