"""The models that there are: which answers, which makes vectors, another one fetched once the person says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from lens_tui.requests import ModelList, Models
from lens_tui.text.display import one_line
from lens_tui.tui.cells import width_of, wrapped
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import BY_ID
from lens_tui.tui.messages import FindWish, ModelWish, PullStop, PullWish
from lens_tui.tui.picking import Pick, pick
from lens_tui.tui.pulls import LivePull, amount
from lens_tui.tui.screens.choice import Choice
from lens_tui.tui.screens.choosing import ChoosingPage
from lens_tui.tui.widgets.choices import Choices, Entry, Group
from lens_tui.tui.widgets.drawn import Lines, Piece
from lens_tui.tui.widgets.field import Field
from lens_tui.types import Failed, ModelChoice, ModelInfo

if TYPE_CHECKING:
    from lens_tui.tui.messages import FindNews

NONE, PULL = "none", "pull:"
"""Id of the entry for no model; what the id of a model begins with that would have to be fetched."""
NAME = 24
"""Cells of the names, at least; a longer one moves its row's figures."""
ANSWERS, EMBEDS = "completion", "embedding"
"""What the server calls the two abilities."""
OFFERS = "ollama pull "
"""What a line of a choice's hint begins with that names a model to fetch."""


class Whys(Lines, can_focus=False):
    """What is in use and why, below the list."""


class ModelsPage(ChoosingPage):
    """Enter has a model answer from now on. One that is not there is fetched, after asking."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the field takes the key: nobody corrects a filter while a download is to be stopped.
        Binding(",".join(BY_ID["pull.stop"].keys), "pull_stop", show=False, priority=True, id="pull.stop"),
    ]
    part = "models"

    def __init__(self, host: str, wanted: str, choice: ModelChoice | None, pull: LivePull | None) -> None:
        """List models.

        Args:
            host: The address to ask, as settings name it.
            wanted: The model that settings ask for by name.
            choice: Which one answers, as far as it is known already.
            pull: The download that runs.
        """
        super().__init__()
        self._host, self._wanted, self._choice, self._pull = host, wanted, choice, pull
        self._listed: ModelList | None = None
        self._typed = ""
        self._problem = ""

    def body(self) -> Iterable[Widget]:
        """The list, and under it what is in use and why."""
        yield Choices(keys_first=False, id="list")
        yield Whys(id="whys")

    def on_mount(self) -> None:
        """Ask the server."""
        self.query_one(Field).ask("/", "type to filter, or the name of another one")
        self.post_message(FindWish(self, Models(host=self._host, model=self._wanted or None), 0))

    def hint_part(self) -> str:
        """Del stops a download while there is one."""
        return "pulling" if self._pulls else "models"

    @property
    def _pulls(self) -> bool:
        return self._pull is not None and not self._pull.over

    def find_news(self, news: FindNews) -> None:
        """Show what the server has."""
        if isinstance(news.event, ModelList):
            self.models_came(news.event)
        elif isinstance(news.event, Failed):
            self._problem = f"{news.event.message} {news.event.hint}".strip()
            self.filter(self._typed)

    # News, from the app.

    def models_came(self, listed: ModelList) -> None:
        """What the server has, and what is used of it."""
        first = self._listed is None
        self._listed, self._choice, self._problem = listed, listed.chat, listed.problem
        self._wanted = self._wanted if listed.chat.name is None else ""
        self.filter(self._typed)
        if first and not self._typed:
            self.list.choose(listed.chat.name or NONE)

    def pull_moved(self, pull: LivePull | None) -> None:
        """How far a download is; None where none runs any more."""
        self._pull = pull
        self.draw()

    def model_chosen(self, choice: ModelChoice) -> None:
        """Who answers from now on."""
        self._choice = choice
        self.draw()

    # What is drawn.

    def draw(self) -> None:
        """Name the server, say what is in use and why, and how far a download is."""
        address = self._listed.address if self._listed is not None else ""
        self.title_row.show((("Model for answers", "text bold"),), ((address, "muted"),))
        if self._pull is not None and self._pulls:
            self.rule_row.show(self._pull.words("Del stops"), self._pull.share)
        else:
            self.rule_row.show("" if self._listed is not None or self._problem else "asking the server")
        choice, listed = self._choice, self._listed
        failed = self._pull.problem if self._pull is not None else ""
        lines = [
            *self._why("answers", self._problem or (choice.why if choice is not None else "")),
            *self._why("meaning", listed.embedder.why if listed is not None else ""),
            *self._why("download", failed, "bad"),
        ]
        whys = self.query_one(Whys)
        whys.show(lines)
        whys.styles.height = len(lines)
        super().draw()

    def _why(self, label: str, why: str, ink: str = "text") -> Iterable[Sequence[Piece]]:
        """A sentence that wraps beside its name."""
        text = signs_of(self).said(one_line(why))
        for place, (start, end) in enumerate(wrapped(text, max(20, self.size.width - 14)) if text else ()):
            yield ((f"   {'' if place else label:<9} ", "muted"), (text[start:end].rstrip(), ink))

    def filter(self, text: str) -> None:
        """Show the models that hold the letters typed, then what else can be done."""
        self._typed = text
        listed = self._listed.models if self._listed is not None else ()
        picks = pick(text, [info.name for info in listed])
        rows = [self._entry(listed[each.index], each) for each in picks]
        rows.sort(key=lambda entry: entry.mark == signs_of(self).left_out)
        rows += self._others(text.strip())
        head = f"  {'model':<{NAME}}{'size':>8}{'context':>11}"
        self.list.show((Group(head, tuple(rows)),), stay=not text)
        self.draw()

    def _entry(self, info: ModelInfo, found: Pick) -> Entry:
        signs = signs_of(self)
        answers, used = ANSWERS in info.capabilities, self._choice is not None and self._choice.name == info.name
        said = ["in use"] if used else []
        said += ["loaded"] if info.loaded else []
        embedder = self._listed.embedder.name if self._listed is not None else None
        if not answers:
            said = ["makes the vectors here" if info.name == embedder else "makes vectors, cannot answer"]
        context = f"{info.context:,}" if info.context else ""
        name = one_line(info.name)
        pad = " " * max(0, NAME - 2 - width_of(name))
        mark = signs.check if used else "" if answers else signs.left_out
        figures = f"{pad}{amount(info.size):>8}{context:>11}   {', '.join(said)}"
        return Entry(info.name, name, "", found.letters, mark, figures)

    def _others(self, typed: str) -> list[Entry]:
        """No model; those that would have to be fetched: what settings or we name, and what is typed."""
        have = (
            {info.name.removesuffix(":latest") for info in self._listed.models} if self._listed is not None else set()
        )
        used = self._choice is not None and self._choice.name is None
        pad = " " * (NAME - 2 - len("no model"))
        quote = "quote the files word for word" + (", in use" if used else "")
        entries = []
        if pick(typed, ["no model"]):
            entries.append(Entry(NONE, "no model", "", (), signs_of(self).check if used else "", f"{pad}{quote}"))
        hints = self._choice.hint.splitlines() if self._choice is not None else []
        names = [self._wanted, *(line.removeprefix(OFFERS) for line in hints if line.startswith(OFFERS))]
        names = [names[each.index] for each in pick(typed, names)] + [typed]
        for name in dict.fromkeys(names):
            if name and name != NONE and name.removesuffix(":latest") not in have:
                gap = " " * max(0, NAME - 2 - width_of(one_line(name)))
                entries.append(
                    Entry(PULL + name, one_line(name), "", (), "", f"{gap}not there; asks before it downloads")
                )
        if not typed:
            gap = " " * (NAME - 2 - len("another one…"))
            entries.append(Entry(PULL, "another one…", "", (), "", f"{gap}type its name; asks before it downloads"))
        return entries

    # What the person does.

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Use a model, or ask whether one is to be fetched."""
        event.prevent_default()
        if event.id.startswith(PULL):
            self._ask_pull(event.id.removeprefix(PULL))
            return
        models = self._listed.models if self._listed is not None else ()
        info = next((info for info in models if info.name == event.id), None)
        if info is not None and ANSWERS not in info.capabilities:
            self.say(f"{one_line(info.name)} makes vectors and cannot answer: choose another one.")
            return
        app = self.app
        self.dismiss()
        app.post_message(ModelWish(event.id))

    def _ask_pull(self, name: str) -> None:
        if not name:
            self.query_one(Field).focus_line()
            self.say("Type its name above, such as qwen3:4b, then Enter.")
            return
        if self._pull is not None and self._pulls:
            self.say(f"{one_line(self._pull.name)} is being downloaded: Del stops it, and it can go on later.")
            return

        def chosen(key: str | None) -> None:
            if key:
                self.query_one(Field).write("")
                self.post_message(PullWish(name))

        address = self._listed.address if self._listed is not None else "the server"
        self.app.push_screen(Choice({"d": f"download {one_line(name)} to {address}"}), chosen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Del is the field's where no download runs."""
        return self._pulls if action == "pull_stop" else super().check_action(action, parameters)

    def action_pull_stop(self) -> None:
        """Stop the download; what has come stays with the server."""
        self.post_message(PullStop())
