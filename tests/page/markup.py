"""Is a page well-formed?  Every element ends, no id twice, no link to nowhere, nothing loaded."""
import html.parser

VOID = {"meta", "br", "hr", "img", "link", "input"}
INLINE = {"a", "code", "small", "span", "strong", "time", "button", "summary", "h1", "h2", "h3", "p"}
BLOCK = {"p", "div", "table", "ul", "pre", "section", "figure", "details", "h1", "h2", "h3", "dl"}


class Markup(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.wrong = [], set(), [], []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> does not end" for tag in self.open]
        self.wrong += [f"no place for #{link}" for link in self.links if link not in self.ids]

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(set(names)) != len(names):
            self.wrong.append(f"<{tag}> has an attribute twice: {names}")
        if tag in BLOCK and self.open and self.open[-1] in INLINE:
            self.wrong.append(f"<{tag}> in <{self.open[-1]}>")
        for name, value in attrs:
            self._attribute(tag, name, value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} ends something else")

    def _attribute(self, tag, name, value):
        if name == "id":
            if value in self.ids:
                self.wrong.append(f"id {value} twice")
            self.ids.add(value)
        elif name in ("href", "xlink:href") and value.startswith("#"):
            self.links.append(value[1:])
        elif name in ("href", "xlink:href", "src", "action", "srcset"):
            if not value.startswith(("data:text/csv;", "data:image/")):
                self.wrong.append(f"<{tag} {name}={value[:60]}> leads elsewhere")
        elif name.startswith("on"):
            self.wrong.append(f"<{tag}> has {name}")
