"""A headless Chromium, driven over its DevTools protocol through two pipes: no port, no package, no network."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


class BrowserError(RuntimeError):
    pass


class Browser:
    """One browser process with a profile of its own."""

    NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

    @staticmethod
    def find():
        return next((path for path in map(shutil.which, Browser.NAMES) if path), None)

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="looptrail-browser-")
        to_read, self.to_write = os.pipe()
        self.from_read, to_browser = os.pipe()
        self.buffer, self.number, self.events = b"", 0, []

        def pipes():
            # Chromium reads the protocol from descriptor 3 and writes to 4. Moves both ends away first, so that neither is overwritten.
            one, other = os.dup(to_read), os.dup(to_browser)
            while one in (3, 4) or other in (3, 4):
                one, other = os.dup(one), os.dup(other)
            os.dup2(one, 3)
            os.dup2(other, 4)

        self.process = subprocess.Popen(
            [
                program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe",
                f"--user-data-dir={self.profile}", "about:blank",
            ],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_browser)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        """Sends a command and returns its answer. Messages that come before the answer are kept as events."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method, session):
        """The next event of that name, or one that came already."""
        seen = 0
        while True:
            for event in self.events[seen:]:
                seen += 1
                if event.get("method") == method and event.get("sessionId") == session:
                    return event
            self.events.append(self._receive())

    def _receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.from_read, 1 << 16)
            if not part:
                raise BrowserError("the browser went away")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)


class Page:
    """One tab, with the console messages and requests since it was opened."""

    def __init__(self, browser, path, width, height=1000, dark=False, scripts=True, media=""):
        self.browser = browser
        browser.events.clear()
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.url = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self.url)
        browser.wait_for("Page.loadEventFired", self.session)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def value(self, expression):
        """The value of a JavaScript expression, which must end in two minutes. This works even if the page's own scripts are switched off."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, timeout=120_000)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def messages(self):
        """The messages of the console, with reports about the page's policy and markup."""
        names = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded")
        return [event for event in self._events() if event["method"] in names]

    def requests(self):
        """The addresses that the page requested, without its own."""
        asked = [event["params"]["request"]["url"] for event in self._events() if event["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if url != self.url]

    def _events(self):
        # The answer to a command comes after all earlier events, so this call collects them.
        self.call("Page.getLayoutMetrics")
        return [event for event in self.browser.events if event.get("sessionId") == self.session]

    def screenshot(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]))

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
