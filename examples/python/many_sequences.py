"""Many sequences at once, as a server has them: one sampler each, all drawn in one call on the threads of a pool.

Steps that order the whole vocabulary (here: typical) need scratch memory; the pool has one for each thread, so that eight sequences
need none of their own. Sequence i uses the seed of the request plus i. The tokens are those of single draws, whatever the threads.
"""

import sys

from tiny_model import TinyModel

import bankml

SEQUENCES, TOKENS, THREADS = 8, 24, 2

model = TinyModel()
params = bankml.Params(top_k=0, typical_p=0.9)
samplers = [bankml.Sampler(params, n_vocab=model.n_vocab, seed=100 + i) for i in range(SEQUENCES)]
contexts = [model.context() for _ in samplers]
texts = [b""] * SEQUENCES
with bankml.Pool(THREADS, model.n_vocab) as pool:
    for _ in range(TOKENS):
        tokens = pool.sample(samplers, [context.logits for context in contexts])
        for i, token in enumerate(tokens):
            samplers[i].accept(token)
            texts[i] += model.pieces[token]
            contexts[i].step(token)
for i, text in enumerate(texts):
    print(f"{i}: {text.decode(errors='replace')}".replace("\n", " "))
print(f"{samplers[0].nbytes} bytes a sampler, drawn by {THREADS} threads", file=sys.stderr)
