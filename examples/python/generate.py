"""The generation loop: prompt in, text out, with the sampling defaults that the model's own file asks for.

The order matters: the prompt's tokens are accepted first, then every drawn one. Penalties and DRY look at them.
"""

import sys

from tiny_model import TinyModel

import bankml

prompt = sys.argv[1] if len(sys.argv) > 1 else "Once upon a time"
model = TinyModel()
vocab = bankml.Vocab.from_gguf(model.gguf)
params = bankml.Params()
params.load_gguf(model.gguf)  # general.sampling.*
params.set("seed", 42)
sampler = bankml.Sampler(params, vocab)

ids = model.tokenize(prompt)
sampler.accept(ids)
context = model.context()
logits = context.eval(ids)
text = prompt.encode()
for _ in range(120):
    token = sampler.sample(logits)
    sampler.accept(token)
    if vocab.flags(token) & bankml.TokenFlags.EOG:
        break
    text += model.pieces[token]
    logits = context.step(token)
print(text.decode(errors="replace"))
