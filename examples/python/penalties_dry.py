"""Against repetition: the same prompt drawn greedily without help, with penalties, and with DRY.

A request body in llama-server's own format configures each run; DRY's breakers are strings, so the sampler needs the vocabulary. A
breaker whose tail needs tokens is listed by `open_texts`; here the tokenizer of the model answers it.
"""

from tiny_model import TinyModel

import bankml

PROMPT = '"I have seen the map," said the hen.'


def run(model: TinyModel, vocab: bankml.Vocab, title: str, request: str) -> None:
    params = bankml.Params()
    params.load(request)
    for i, need in enumerate(params.open_texts(vocab)):
        params.answer(i, model.tokenize(need.text.decode()))
    sampler = bankml.Sampler(params, vocab)
    ids, context = model.tokenize(PROMPT), model.context()
    sampler.accept(ids)
    logits, story = context.eval(ids), b""
    for _ in range(60):
        token = sampler.sample(logits)
        sampler.accept(token)
        if token == model.eos:
            break
        story += model.pieces[token]
        logits = context.step(token)
    text = story.decode(errors="replace").replace("\n", " ")
    print(f"{title}: {request}\n  {PROMPT}{text}")


model = TinyModel()
vocab = bankml.Vocab.from_gguf(model.gguf)
run(model, vocab, "greedy", '{"temperature": 0}')
run(model, vocab, "penalties", '{"temperature": 0, "repeat_penalty": 1.3, "frequency_penalty": 0.2}')
run(model, vocab, "dry", '{"temperature": 0, "dry_multiplier": 0.8, "dry_sequence_breakers": ["\\n"]}')
