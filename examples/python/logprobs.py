"""Log-probabilities, as an API reports them: of the drawn token and of the five likeliest, before sampling; and what is left of them
after the chain.
"""

import numpy as np
from tiny_model import TinyModel

import bankml

model = TinyModel()
sampler = bankml.Sampler(n_vocab=model.n_vocab, seed=3)
sampler.keep()  # post_probs reads the survivors of the last draw
context = model.context()
logits = context.eval(model.tokenize("Once upon a time there was a"))


def show(token: int) -> str:
    return "'" + model.pieces[token].decode(errors="replace").replace("\n", "\\n") + "'"


def line(ids: np.ndarray, p: np.ndarray) -> str:
    return "".join(f" {show(token)} {logprob:.3f}" for token, logprob in zip(ids, np.log(p.astype(np.float64))))


for _ in range(6):
    token = sampler.sample(logits)
    before = sampler.token_probs(logits, token, 5)
    after = sampler.post_probs(5)
    assert before.sampled_p is not None
    print(f"{show(token)} {np.log(before.sampled_p):.3f}")
    print(f"  before:{line(before.ids, before.p)}")
    print(f"  after: {line(after.ids, after.p)}")
    sampler.accept(token)
    logits = context.step(token)
