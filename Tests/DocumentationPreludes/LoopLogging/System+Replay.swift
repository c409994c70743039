let recording = Recording("")
