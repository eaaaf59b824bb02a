"""The best token of a row of logits: temperature 0 makes the draw greedy."""

import numpy as np

import bankml

logits = np.array([0.5, 2.0, -1.0, 3.5, 3.0], np.float32)
with bankml.Sampler(n_vocab=5, temperature=0) as sampler:
    token = sampler.sample(logits)
print(f"status: ok, token: {token}")
