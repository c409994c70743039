/// The folder `.sent/`: segments that a destination has acknowledged, until they are removed. Readers leave out what begins with a dot.
///
/// A segment comes here by one rename and keeps its name. The destination has every file in here, so that removing one loses nothing.
package enum SentFolder { package static let name = ".sent" }
