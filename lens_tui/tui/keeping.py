"""What a person wishes of conversations and models, and what becomes of sources; the app is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens_tui.tui import messages as news
from lens_tui.tui.pulls import LivePull
from lens_tui.tui.wishes import Wishes

if TYPE_CHECKING:
    from lens_tui.requests import ModelList
    from lens_tui.tui.tracing import Tracing
    from lens_tui.types import FileRow

SETTLE_SECONDS = 0.3
"""A file that changes once often changes again at once: sources are asked after so long after the last change."""


class Keeping(Wishes, inherit_bindings=False):
    """Answers the messages about what is kept and about models."""

    pulling: LivePull | None = None
    """The download that runs, or ran last."""

    # Conversations.

    def action_talk_list(self) -> None:
        """Open the list of conversations."""
        from lens_tui.tui.opening import show_talks

        show_talks(self._whole)

    def on_talk_wish(self, message: news.TalkWish) -> None:
        """Read another conversation on, or begin one; the one before is kept."""
        if self.main.running is not None:
            self.tell("An answer is coming: Esc stops it first.")
        else:
            self.link.open_talk(message)

    def on_talk_loaded(self, message: news.TalkLoaded) -> None:
        """Show a conversation, and ask what became of its sources."""
        if message.first:
            self.sought.remember(message.talk.state.get("ranking"))
            self.borders = message.talk.state.get("borders") is True
        self.main.talk_loaded(message.talk, first=message.first, turn=message.turn)
        self.tracing.everything()

    def on_talk_missing(self) -> None:
        """Wait for no conversation any more."""
        self.main.talk.expected = False
        self.main.chat.changed()
        self.main.show_heads()

    def on_talk_titled(self, message: news.TalkTitled) -> None:
        """The conversation on the screen has another title."""
        self.main.talk.title = message.title
        self.main.show_heads()

    def on_sent_wish(self) -> None:
        """Show what the model was sent."""
        from lens_tui.tui.opening import show_sent

        show_sent(self._whole)

    # Sources.

    @property
    def tracing(self) -> Tracing:
        """Who follows the sources of the conversation on the screen."""
        if not hasattr(self, "_tracing"):
            from lens_tui.tui.tracing import Tracing  # and the nouns with it: not before the first paint

            self._tracing = Tracing(self.main.talk, self.link.trace)
        return self._tracing

    def follow_sources(self, rows: tuple[FileRow, ...], gone: tuple[str, ...]) -> None:
        """Files changed: ask, once they rest, what became of the sentences that are cited from them."""
        if self.main.talk.turns and self.tracing.touched(rows, gone):
            if timer := getattr(self, "_settling", None):
                timer.stop()
            self._settling = self.set_timer(SETTLE_SECONDS, self.tracing.some)

    def on_sources_traced(self, message: news.SourcesTraced) -> None:
        """Draw what became of sources."""
        if self.tracing.take(message.passages, message.fates):
            self.main.chat.changed()
            self.main.show_sources()

    # Models.

    def action_model_pick(self) -> None:
        """Open the list of models."""
        from lens_tui.tui.opening import show_models

        show_models(self._whole)

    def on_model_wish(self, message: news.ModelWish) -> None:
        """Have another model answer in this folder."""
        named = self.link.wanted
        self.link.choose_model(message.name)
        if named and named != message.name:
            self.tell(f"Until you quit: settings name {named}.")

    def on_models_came(self, message: news.ModelsCame) -> None:
        """Say who answers now, wherever that is drawn."""
        self._show_models(message.models)

    def _show_models(self, models: ModelList) -> None:
        self._whole.on_model_chosen(news.ModelChosen(models.chat))
        for screen in self.screen_stack:
            if (take := getattr(screen, "models_came", None)) is not None:
                take(models)

    def on_pull_wish(self, message: news.PullWish) -> None:
        """Have the server fetch a model; one at a time."""
        if self.pulling is None or self.pulling.over:
            self.pulling = LivePull(message.name)
            self.pulling.errand = self.link.pull(message.name)
            self._show_pull()

    def on_pull_stop(self) -> None:
        """Stop the download."""
        if self.pulling is not None and self.pulling.errand is not None:
            self.pulling.errand.cancel()

    def on_pull_moved(self, message: news.PullMoved) -> None:
        """Draw how far it is."""
        if self.pulling is not None:
            self.pulling.progress = message.progress
            self._show_pull()

    def on_pull_over(self, message: news.PullOver) -> None:
        """Use the model that came, or say why there is none: where it was asked for that stays to be read."""
        if (pull := self.pulling) is None:
            return
        pull.over, pull.problem = True, message.problem
        self._show_pull()
        if message.problem:
            if getattr(self.screen, "part", "") != "models":
                self.tell(message.problem)
        elif message.models is None or (pull.errand is not None and pull.errand.cancelled):
            self.tell(f"Stopped. What came of {message.name} is kept: the same download goes on there.")
        else:
            self._show_models(message.models)
            self._use(message.name, message.models)

    def _use(self, name: str, models: ModelList) -> None:
        """What was fetched to answer answers from now on."""
        full = name if ":" in name.rpartition("/")[2] else f"{name}:latest"
        info = next((info for info in models.models if info.name.lower() == full.lower()), None)
        if info is not None and "completion" in info.capabilities:
            self.link.choose_model(info.name)
            self.tell(f"{name} is there, and answers from now on.")
        else:
            self.tell(f"{name} is there.")

    def _show_pull(self) -> None:
        for screen in self.screen_stack:
            if (take := getattr(screen, "pull_moved", None)) is not None:
                take(self.pulling)
