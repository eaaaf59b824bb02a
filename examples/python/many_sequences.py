"""Many sequences at once, as a server has them: one sampler each, one vocabulary for all, one workspace a thread.

Steps that order the whole vocabulary (here: typical) need scratch memory; lending one workspace to all samplers of a thread keeps
eight sequences from owning eight. Sequence i uses the seed of the request plus i.
"""

import sys

from tiny_model import TinyModel

import bankml

SEQUENCES, TOKENS = 8, 24

model = TinyModel()
params = bankml.Params(top_k=0, typical_p=0.9)
workspace = bankml.Workspace(model.n_vocab)
samplers = [bankml.Sampler(params, n_vocab=model.n_vocab, seed=100 + i) for i in range(SEQUENCES)]
contexts = [model.context() for _ in samplers]
texts = [b""] * SEQUENCES
for sampler in samplers:
    sampler.use_workspace(workspace)
for _ in range(TOKENS):
    for i, (sampler, context) in enumerate(zip(samplers, contexts)):
        token = sampler.sample(context.logits)
        sampler.accept(token)
        texts[i] += model.pieces[token]
        context.step(token)
for i, text in enumerate(texts):
    print(f"{i}: {text.decode(errors='replace')}".replace("\n", " "))
print(f"{samplers[0].nbytes} bytes a sampler, {workspace.nbytes} bytes of workspace shared", file=sys.stderr)
