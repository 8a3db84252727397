"""What a model is sent, with where each excerpt stands in it and how many tokens it takes."""

from lens_tui.answering.budget import Fit
from lens_tui.answering.counting import Counting
from lens_tui.answering.prompt import shown
from lens_tui.history import PromptSent, SentExcerpt


def prompt_sent(made: Fit, model: str, question: str, counting: Counting) -> PromptSent:
    """The two messages of a prompt that fits, as they go to the model; tokens are counted here, not by the model."""
    prompt = made.prompt
    excerpts: list[SentExcerpt] = []
    end = 0
    for excerpt in prompt.excerpts:
        text = shown(excerpt)
        start = prompt.user.index(text, end)
        end = start + len(text)
        excerpts.append(SentExcerpt(excerpt.number, start, end, counting.count(text)))
    return PromptSent(
        model=model,
        system=prompt.system,
        user=prompt.user,
        system_tokens=counting.count(prompt.system),
        user_tokens=counting.user(question, prompt.excerpts),
        excerpts=tuple(excerpts),
        context_tokens=made.num_ctx,
    )
