struct Form { var isSent = false }
