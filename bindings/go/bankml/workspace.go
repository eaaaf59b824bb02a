package bankml

/*
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"sync"
)

// Workspace is scratch for chains that order the whole vocabulary, about 24 bytes for each token. Samplers of one goroutine can
// share one ([Sampler.UseWorkspace]); a draw that finds it in use gives [ErrBusy].
type Workspace struct {
	mu      sync.Mutex
	h       *C.bankml_workspace
	cleanup runtime.Cleanup
}

// NewWorkspace makes scratch for samplers of at most nVocab logits.
func NewWorkspace(nVocab int) (*Workspace, error) {
	const op = "NewWorkspace"
	if err := checkABI(op); err != nil {
		return nil, err
	}
	n, err := cCount(op, "nVocab", nVocab)
	if err != nil {
		return nil, err
	}
	var text [textCap]C.char
	h := C.bankml_workspace_new(n, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	w := &Workspace{h: h}
	w.cleanup = runtime.AddCleanup(w, func(h *C.bankml_workspace) { C.bankml_workspace_free(h) }, h)
	return w, nil
}

// Bytes is its size; 0 after Close.
func (w *Workspace) Bytes() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return int(C.bankml_workspace_bytes(w.h))
}

// Close gives the workspace up; samplers that use it keep its memory. Closing twice is fine. The error is always nil.
func (w *Workspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.h != nil {
		w.cleanup.Stop()
		C.bankml_workspace_free(w.h)
		w.h = nil
	}
	return nil
}
