"""A page in a browser: Chromium without a window, driven over a pipe, so that it ends when we do.

    with Browser() as b:
        page = b.open("out/report.html")
        page.run("document.title")          the value of an expression
        page.said, page.asked               what the console said; addresses that were loaded
"""
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile

SECONDS = 60  # for any one answer; a browser that hangs fails the test


class Browser:
    def __enter__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise SystemExit("no chromium (packages.txt)")
        self.home = tempfile.mkdtemp(prefix="chromium-", dir=".")
        to_child, self.to = os.pipe()
        self.source, from_child = os.pipe()
        self.child = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_child} 4>&{from_child}', "bash", program,
             "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--remote-debugging-pipe", f"--user-data-dir={os.path.abspath(self.home)}",
             "about:blank"],
            pass_fds=(to_child, from_child), env={**os.environ, "HOME": os.path.abspath(self.home)},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.rest, self.n, self.seen = b"", 0, []
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except EOFError:
            pass
        os.close(self.to)
        try:
            self.child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        os.close(self.source)
        shutil.rmtree(self.home, ignore_errors=True)

    def _message(self):
        while b"\0" not in self.rest:
            if not select.select([self.source], [], [], SECONDS)[0]:
                raise SystemExit("the browser does not answer")
            more = os.read(self.source, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, session=None, **params):
        self.n += 1
        message = {"id": self.n, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") != self.n:
                self.seen.append(answer)
            elif "error" in answer:
                raise SystemExit(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def wait(self, method, **having):
        """The next event of that name whose parameters are such."""
        while True:
            for i, event in enumerate(self.seen):
                params = event.get("params", {})
                if event.get("method") == method and having.items() <= params.items():
                    return self.seen.pop(i)["params"]
            self.seen.append(self._message())

    def open(self, path):
        return Page(self, pathlib.Path(path).resolve().as_uri())


class Page:
    def __init__(self, browser, address):
        self.browser, self.address = browser, address
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Page.navigate", url=address)
        browser.wait("Page.loadEventFired")

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text="\r" if key == "Enter" else "")

    def show(self, width, dark):
        """As on a screen of that width, by day or by night."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def _events(self, *methods):
        return [e["params"] for e in self.browser.seen
                if e.get("sessionId") == self.session and e["method"] in methods]

    @property
    def said(self):
        return self._events("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")

    @property
    def asked(self):
        return [e["request"]["url"] for e in self._events("Network.requestWillBeSent")]
