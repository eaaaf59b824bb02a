"""A grammar: the model may write nothing but a small JSON object. Draw freely, ask the grammar, and draw again under its mask if the
token does not fit: what llama-server does. The grammar is told each token first, then the sampler; an end token ends the text.
"""

from tiny_model import TinyModel

import bankml

GRAMMAR = r'''
root  ::= "{" ws "\"title\": \"" title "\"," ws "\"pet\": " pet "," ws "\"age\": " age ws "}"
title ::= [A-Z] [a-z]{1,7} (" " [a-z]{1,8}){2,4}
pet   ::= "\"cat\"" | "\"dog\"" | "\"bird\""
age   ::= [1-9] [0-9]?
ws    ::= " "?
'''

model = TinyModel()
vocab = bankml.Vocab.from_gguf(model.gguf)
grammar = bankml.Grammar.from_gbnf(vocab, GRAMMAR)
sampler = bankml.Sampler(vocab=vocab, seed=11)
context = model.context()
logits, text, drawn, redraws = context.logits, b"", 0, 0
print(f"begins with {grammar.forced().decode()}")
while True:
    token, redrawn = sampler.sample_constrained(logits, grammar)
    drawn += 1
    redraws += redrawn
    if vocab.flags(token) & bankml.TokenFlags.EOG:
        break
    grammar.accept(token)
    sampler.accept(token)
    text += model.pieces[token]
    logits = context.step(token)
print(f"{text.decode()}\n{drawn} draws, {redraws} of them again")
