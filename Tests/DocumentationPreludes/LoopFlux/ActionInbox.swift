struct MessageReceived: Action { let text: String }
