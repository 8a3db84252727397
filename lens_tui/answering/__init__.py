"""From a question and its hits to a prompt, a stream and checked citations."""
