package bankml

/*
#cgo noescape bankml_batch_sample
#cgo nocallback bankml_batch_sample
#include "bankml.h"
*/
import "C"

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// BatchItem is one draw of a batch: what to draw from, and the outcome.
type BatchItem struct {
	Sampler *Sampler  // once in a batch
	Logits  []float32 // as for [Sampler.Sample]; read in place, never written
	Mask    []uint32  // as for [Sampler.SampleMasked]; nil = no mask
	Grammar *Grammar  // as for [Sampler.SampleConstrained], once in a batch and without a Mask; nil = none
	First   bool      // with a Grammar: mask before the first draw
	Token   int32     // out: the token drawn, -1 with an error
	Redrawn bool      // out: whether it drew twice, because the first draw did not fit the Grammar
	Err     error     // out: what the single call would have returned; nil if it drew
}

var batches = sync.Pool{New: func() any { return new(batch) }}

// SampleBatch draws every item on the calling thread, as [Pool.Sample] does on several. The error is that of Pool.Sample.
func SampleBatch(items []BatchItem) error {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	return b.sample("SampleBatch", nil, items)
}

// batch is what a running batch needs beside its items, kept so that the next one allocates nothing.
//
// The library reads one array of records. They hold addresses of the caller's rows, which the cgo rules allow for memory that is
// pinned. Each record has a Pinner of its own: one for all would allocate a list for more than a few rows.
type batch struct {
	records   []C.bankml_batch_item // of the items that are drawn: those whose samplers and grammars are open
	places    []int                 // where each of them stands in the caller's list
	byID      []int                 // the caller's items in the order in which samplers are locked
	byGrammar []int                 // those with a grammar, in the order in which grammars are locked, after all samplers
	pinners   []runtime.Pinner
}

func (b *batch) sample(op string, pool *C.bankml_pool, items []BatchItem) error {
	if err := b.arrange(op, items); err != nil {
		return err
	}
	defer b.end()
	// Samplers are locked in the order of their numbers, so that two batches never wait for each other in a ring.
	for _, i := range b.byID {
		items[i].Sampler.mu.Lock()
	}
	for _, i := range b.byGrammar {
		items[i].Grammar.mu.Lock()
	}
	defer func() {
		for _, i := range b.byGrammar {
			items[i].Grammar.mu.Unlock()
		}
		for _, i := range b.byID {
			items[i].Sampler.mu.Unlock()
		}
	}()
	for i := range items {
		b.add(op, i, &items[i])
	}
	if status := C.bankml_batch_sample(pool, unsafe.SliceData(b.records), C.size_t(len(b.records))); status != C.BANKML_OK {
		return failed(op, status, C.GoString(C.bankml_pool_error(pool))) // arrange leaves nothing to refuse, so this is a fault
	}
	for k, i := range b.places {
		item, record := &items[i], &b.records[k]
		item.Err = item.Sampler.ended(op, record.status)
		if item.Err == nil {
			item.Token = int32(record.token)
			item.Redrawn = record.redrawn != 0
		}
	}
	runtime.KeepAlive(items)
	return nil
}

// arrange finds the order of locking; a missing sampler, and a sampler or grammar that stands twice, are refused before anything is
// locked. One that its maker did not make has no number: it is closed, stays so and is not locked.
func (b *batch) arrange(op string, items []BatchItem) error {
	b.byID = slices.Grow(b.byID[:0], len(items))
	b.byGrammar = b.byGrammar[:0]
	for i := range items {
		if items[i].Sampler == nil {
			return refused(op, ErrInvalidArgument, "item %d has no sampler", i)
		}
		if items[i].Sampler.id != 0 {
			b.byID = append(b.byID, i)
		}
		if items[i].Grammar != nil && items[i].Grammar.id != 0 {
			b.byGrammar = append(b.byGrammar, i)
		}
	}
	if i, j, twice := order(b.byID, func(i int) uint64 { return items[i].Sampler.id }); twice {
		return refused(op, ErrInvalidArgument, "items %d and %d have the same sampler", i, j)
	}
	if i, j, twice := order(b.byGrammar, func(i int) uint64 { return items[i].Grammar.id }); twice {
		return refused(op, ErrInvalidArgument, "items %d and %d have the same grammar", i, j)
	}
	b.records = slices.Grow(b.records[:0], len(items))
	b.places = slices.Grow(b.places[:0], len(items))
	if grown := len(items) - len(b.pinners); grown > 0 {
		b.pinners = append(b.pinners, make([]runtime.Pinner, grown)...)
	}
	return nil
}

// order sorts items by their number, and finds two that have the same.
func order(items []int, number func(int) uint64) (i, j int, twice bool) {
	slices.SortFunc(items, func(i, j int) int { return cmp.Or(cmp.Compare(number(i), number(j)), cmp.Compare(i, j)) })
	for k := 1; k < len(items); k++ {
		if number(items[k-1]) == number(items[k]) {
			return items[k-1], items[k], true
		}
	}
	return 0, 0, false
}

// add makes the record of an item whose sampler and grammar are locked, or its error if one is closed.
func (b *batch) add(op string, i int, item *BatchItem) {
	item.Token, item.Redrawn = -1, false
	if item.Sampler.h == nil || (item.Grammar != nil && item.Grammar.h == nil) {
		item.Err = closed(op)
		return
	}
	row, n := floats(item.Logits)
	pinner := &b.pinners[len(b.records)]
	pinner.Pin(row)
	record := C.bankml_batch_item{struct_size: C.sizeof_bankml_batch_item, sampler: item.Sampler.h, logits: row, n: n}
	if item.Mask != nil {
		record.words, record.n_words = words(item.Mask)
		pinner.Pin(record.words)
	}
	if item.Grammar != nil {
		record.grammar = item.Grammar.h
		if item.First {
			record.flags = C.BANKML_GRAMMAR_FIRST
		}
	}
	b.records = append(b.records, record)
	b.places = append(b.places, i)
}

// end forgets the caller's memory.
func (b *batch) end() {
	for k := range b.records {
		b.pinners[k].Unpin()
	}
	clear(b.records)
}
