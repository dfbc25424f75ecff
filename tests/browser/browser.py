"""Drives a headless Chromium through its debugging pipe, with nothing but the standard library."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """A browser with one page. What goes wrong in the page, and what it asks of the network, is kept."""

    def __init__(self, program, patience=60):
        self.patience = patience
        self.profile = tempfile.TemporaryDirectory(prefix="drillmark-browser-", ignore_cleanup_errors=True)
        there, ours_in = os.pipe()
        ours_out, back = os.pipe()

        def pipes():
            # The browser reads from descriptor 3 and writes to 4; ours are moved out of the way first.
            reads, writes = os.dup2(there, 100), os.dup2(back, 101)
            os.dup2(reads, 3, inheritable=True)
            os.dup2(writes, 4, inheritable=True)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
                 f"--user-data-dir={self.profile.name}"]
        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(back)
        self.ours_in, self.ours_out = ours_in, ours_out
        self.rest = b""
        self.number = 0
        self.session = None
        self.troubles, self.requests = [], []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.ask(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.ask("Browser.close")
        except Exception:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.ours_in)
        os.close(self.ours_out)
        self.profile.cleanup()

    def ask(self, method, **params):
        """Sends a command and gives its result."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.ours_in, data):]
        end = time.monotonic() + self.patience
        while True:
            answer = self.next(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer.get("result", {})

    def next(self, end):
        """The next message; what it says about troubles and requests is kept."""
        while b"\0" not in self.rest:
            if not select.select([self.ours_out], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.ours_out, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.troubles.append(details.get("exception", {}).get("description", details.get("text")))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.troubles.append(params["entry"]["text"])
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.troubles.append(json.dumps(params["args"]))
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Page.loadEventFired":
                self.loaded = True
        return message

    def open(self, path, fragment=""):
        """Opens a file and waits until it is there."""
        for url in ["about:blank", f"file://{os.path.abspath(path)}{fragment}"]:
            self.loaded = False
            self.ask("Page.navigate", url=url)
            end = time.monotonic() + self.patience
            while not self.loaded:
                self.next(end)

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "the script failed"))
        return answer["result"].get("value")

    def size(self, width, height=900, dark=False, media=""):
        """How wide the window is, whether the reader likes it dark, and whether it is paper."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def scripts(self, are_on):
        """Whether the page's own script may run."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not are_on)

    def picture(self, path, top=None, height=None):
        """A picture of the page, or of so much of it from `top` on."""
        width, whole = self.run("[innerWidth, document.documentElement.scrollHeight]")
        top = top or 0
        clip = {"x": 0, "y": top, "width": width, "height": min(height or 20000, whole - top), "scale": 1}
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def paper(self, path):
        """The page as a PDF."""
        data = self.ask("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def key(self, key, code=None, text=""):
        """Presses a key."""
        code = code or {"Tab": 9, "Enter": 13, " ": 32}.get(key, 0)
        common = {"key": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
        text = {"Enter": "\r"}.get(key, text)
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    def click(self, selector):
        """Clicks into the middle of an element, as a mouse does."""
        x, y = self.run(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelector({json.dumps(selector)}))")
        for kind in ["mousePressed", "mouseReleased"]:
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
