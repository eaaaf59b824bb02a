"""bankml: logits in, a token out. The token that llama-server would draw, bit for bit, on every CPU.

    import bankml
    sampler = bankml.Sampler(n_vocab=5, temperature=0.7, seed=1)
    token = sampler.sample([0.5, 2.0, -1.0, 3.5, 3.0])
    sampler.accept(token)

:class:`Sampler` draws, :class:`Params` holds parameters, :class:`Vocab` pieces of tokens, :class:`Grammar` what a text may be,
:class:`Workspace` shared scratch; :class:`Pool` and :func:`sample_batch` draw for many samplers at once. :class:`Stop` finds stop
strings in the text, :class:`Reply` writes probabilities as a server's JSON. Errors are :class:`BankmlError`. ``python -m bankml`` checks the installation.
"""

from ._arrays import Ids, LogitRows, Logits, SupportsDLPack, WordRows, Words, pack_mask
from ._batch import Pool, sample_batch
from ._errors import (
    BankmlError,
    BatchError,
    BusyError,
    ClosedError,
    FileReadError,
    InvalidArgumentError,
    LimitError,
    NoLegalTokenError,
    OutOfMemoryError,
    RejectedTokenError,
    Status,
)
from ._grammar import Grammar, Trigger
from ._library import (
    ParamInfo,
    ParamKind,
    __version__,
    abi_version,
    cpu_force,
    cpu_levels,
    cpu_name,
    param_defaults_json,
    param_table,
    self_check,
    version,
)
from ._params import OpenText, Params
from ._reply import Reply
from ._sampler import Candidates, ConstrainedToken, Perf, Sampler, TokenProbs, TopProbs, Workspace
from ._stop import Stop
from ._values import ParamValues
from ._vocab import TokenFlags, Vocab

__all__ = [
    "BankmlError",
    "BatchError",
    "BusyError",
    "Candidates",
    "ClosedError",
    "ConstrainedToken",
    "FileReadError",
    "Grammar",
    "Ids",
    "InvalidArgumentError",
    "LimitError",
    "LogitRows",
    "Logits",
    "NoLegalTokenError",
    "OpenText",
    "OutOfMemoryError",
    "ParamInfo",
    "ParamKind",
    "ParamValues",
    "Params",
    "Perf",
    "Pool",
    "RejectedTokenError",
    "Reply",
    "Sampler",
    "Status",
    "Stop",
    "SupportsDLPack",
    "TokenFlags",
    "TokenProbs",
    "TopProbs",
    "Trigger",
    "Vocab",
    "WordRows",
    "Words",
    "Workspace",
    "__version__",
    "abi_version",
    "cpu_force",
    "cpu_levels",
    "cpu_name",
    "pack_mask",
    "param_defaults_json",
    "param_table",
    "sample_batch",
    "self_check",
    "version",
]
