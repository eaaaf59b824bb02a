"""Mistakes that a type checker must find; tests/consumers/python_types.py reads the marks."""

import bankml

sampler = bankml.Sampler(n_vocab=8, temprature=0.5)  # error
sampler = bankml.Sampler(n_vocab="8")  # error
sampler = bankml.Sampler(n_vocab=8, temperature="warm")  # error
sampler = bankml.Sampler(n_vocab=8, temperature=0.5)
sampler.sample(5)  # error
sampler.sample(None)  # error
sampler.accept("1")  # error
text: str = sampler.sample([0.0] * 8)  # error
sampler.seed = "one"  # error
sampler.steps = []  # error
bankml.Vocab([1, 2])  # error
bankml.Pool("two", 8)  # error
bankml.sample_batch(sampler, [[0.0] * 8])  # error
bankml.sample_batch([sampler], None)  # error
tokens: list[str] = bankml.Pool(1).sample([sampler], [[0.0] * 8])  # error
bankml.Params(top_k=[1])  # error
