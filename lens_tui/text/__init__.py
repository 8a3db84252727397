"""What every room asks of a string: tokens, sentences, words, borders, and what is fit for a screen."""
