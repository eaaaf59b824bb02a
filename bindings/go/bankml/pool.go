package bankml

/*
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool is threads for batches, each with scratch memory of its own, so that samplers need none. The calling thread works too; the
// library has no other threads.
type Pool struct {
	running sync.Mutex // held through a batch, so that Close cannot free the pool under it
	h       *C.bankml_pool
	threads atomic.Int32
	batch   batch
	cleanup runtime.Cleanup
}

// NewPool starts the threads: how many draw, the calling one among them, at most 1,024; 0 = as many as the machine runs at once.
// nVocab is the largest number of tokens that their scratch memory is for, about 24 bytes each per thread; 0 = none, samplers then
// use their own. [ErrInvalidArgument] also if a thread does not start.
func NewPool(threads, nVocab int) (*Pool, error) {
	const op = "NewPool"
	if err := checkABI(op); err != nil {
		return nil, err
	}
	nThreads, err := cCount(op, "threads", threads)
	if err != nil {
		return nil, err
	}
	n, err := cCount(op, "nVocab", nVocab)
	if err != nil {
		return nil, err
	}
	var text [textCap]C.char
	h := C.bankml_pool_new(nThreads, n, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	p := &Pool{h: h}
	p.threads.Store(int32(C.bankml_pool_threads(h)))
	p.cleanup = runtime.AddCleanup(p, func(h *C.bankml_pool) { C.bankml_pool_free(h) }, h)
	return p, nil
}

// Sample draws every item, each as by its own call: the same tokens, states and errors for any number of threads. The outcomes are in
// the items. The tokens are not accepted.
//
// Everything but an item's own failure refuses the whole batch, nothing is drawn then and no item is changed: [ErrInvalidArgument] if
// an item has no sampler or the sampler of another one, [ErrBusy] if another goroutine has a batch on this pool, [ErrClosed] if the
// pool is closed. Once a pool has drawn as many items, a batch allocates nothing in Go.
func (p *Pool) Sample(items []BatchItem) error {
	const op = "Pool.Sample"
	if !p.running.TryLock() {
		return refused(op, ErrBusy, "the pool is in use by another goroutine")
	}
	defer p.running.Unlock()
	if p.h == nil {
		return closed(op)
	}
	return p.batch.sample(op, p.h, items)
}

// Threads is how many threads draw, the calling one among them. 0 after Close.
func (p *Pool) Threads() int { return int(p.threads.Load()) }

// Close ends the threads and gives their memory back, after a batch that runs in another goroutine. Later calls give [ErrClosed];
// closing twice is fine. The error is always nil.
func (p *Pool) Close() error {
	p.running.Lock()
	defer p.running.Unlock()
	if p.h != nil {
		p.cleanup.Stop()
		C.bankml_pool_free(p.h)
		p.h = nil
		p.threads.Store(0)
		p.batch = batch{}
	}
	return nil
}
