"""What can go wrong, as exceptions: one class for what a caller can do about it, and the library's status as ``code``.

The native module gets these classes when this file is imported, before any other call can fail.
"""

from __future__ import annotations

from enum import IntEnum

from . import _native


class Status(IntEnum):
    """Status codes of the C library (``bankml_status``), the ``code`` of every exception."""

    ARG = 1
    LENGTH = 2
    TOKEN = 3
    NONFINITE = 10
    NO_CANDIDATE = 11
    BUSY = 20
    NOMEM = 21
    BUFFER = 22
    OPEN_TEXT = 23
    NOT_KEPT = 24
    PARSE = 30
    REJECT = 31
    SCHEMA = 32
    LIMIT = 33
    STATE = 40
    IO = 41
    INTERNAL = 90


class BankmlError(Exception):
    """Base of every error of the library. ``code`` is its :class:`Status`; the text names the parameter and the value."""

    code: Status

    def __init__(self, text: str, code: int = Status.ARG) -> None:
        super().__init__(text)
        self.code = Status(code)


class InvalidArgumentError(BankmlError, ValueError):
    """A bad argument, parameter, length or token, a NaN or +inf among the logits, malformed JSON, GGUF, grammar or saved bytes."""


class NoLegalTokenError(BankmlError):
    """No token is left: all logits are -inf, or the mask allows nothing that has a finite logit."""


class RejectedTokenError(BankmlError, ValueError):
    """A grammar does not allow the token at this place."""


class LimitError(BankmlError, RuntimeError):
    """More than a grammar's ``max_states`` or ``max_bytes`` would be needed."""


class BusyError(BankmlError, RuntimeError):
    """Another thread is inside this sampler or grammar, or draws with the workspace that it shares."""


class ClosedError(BankmlError, RuntimeError):
    """The object was closed."""


class OutOfMemoryError(BankmlError, MemoryError):
    """The library could not allocate. Only constructors, ``reset`` and very long windows allocate, draws do not."""


class FileReadError(BankmlError, OSError):
    """A file cannot be read."""


class BatchError(BankmlError):
    """Some draws of a batch failed; ``code`` is the first one's.

    ``tokens`` has the tokens in the samplers' order, None where a draw failed; ``errors`` the error of each failed draw, as its
    single call would raise it, None where it drew. The samplers of failed draws are as they were.
    """

    tokens: list[int | None]
    errors: list[BankmlError | None]

    def __init__(self, tokens: list[int | None], errors: list[BankmlError | None]) -> None:
        failed = [(i, error) for i, error in enumerate(errors) if error is not None]
        first, error = failed[0]
        super().__init__(f"{len(failed)} of {len(errors)} draws failed; item {first}: {error}", error.code)
        self.tokens = tokens
        self.errors = errors

    def __reduce__(self) -> tuple[type[BatchError], tuple[object, object]]:
        return type(self), (self.tokens, self.errors)


class NeedsConversion(TypeError):
    """Private: the native module cannot use an array as it lies in memory; ``_arrays`` converts it once."""


_CLASSES: dict[int, type[BankmlError]] = {
    Status.ARG: InvalidArgumentError,
    Status.LENGTH: InvalidArgumentError,
    Status.TOKEN: InvalidArgumentError,
    Status.NONFINITE: InvalidArgumentError,
    Status.OPEN_TEXT: InvalidArgumentError,
    Status.PARSE: InvalidArgumentError,
    Status.SCHEMA: InvalidArgumentError,
    Status.STATE: InvalidArgumentError,
    Status.REJECT: RejectedTokenError,
    Status.LIMIT: LimitError,
    Status.NO_CANDIDATE: NoLegalTokenError,
    Status.BUSY: BusyError,
    Status.NOMEM: OutOfMemoryError,
    Status.IO: FileReadError,
}


def error_of_status(status: int, text: str) -> BankmlError:
    """The exception for a status of the C library; the native module calls this."""
    return _CLASSES.get(status, BankmlError)(text, status)


_native.use_errors(error_of_status, NeedsConversion, ClosedError)
