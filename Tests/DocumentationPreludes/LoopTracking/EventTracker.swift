struct Request {
    var user = "u1"
    var session: String?
}
