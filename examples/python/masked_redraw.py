"""A constraint of your own: a story without the letter q, x or e. Draw freely, look, and draw again under a mask if the token is not
allowed. The redraw is what llama-server does under a grammar: most draws are fine, so building a mask each time is waste.
"""

from tiny_model import TinyModel

import bankml

model = TinyModel()
# This constraint never changes, so its mask is made once: one boolean for each token, packed into words.
allowed = [bool(piece) and not set(piece) & set(b"eEqQxX\n") for piece in model.pieces]
mask = bankml.pack_mask(allowed)

sampler = bankml.Sampler(n_vocab=model.n_vocab, seed=7)
context = model.context()
logits, text, redraws = context.logits, b"", 0
for _ in range(80):
    token = sampler.sample(logits)
    if not allowed[token]:
        token = sampler.sample_masked(logits, mask)
        redraws += 1
    sampler.accept(token)
    text += model.pieces[token]
    logits = context.step(token)
print(f"text:{text.decode(errors='replace')}\n80 draws, {redraws} of them again")
