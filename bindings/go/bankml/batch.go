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
	Token   int32     // out: the token drawn, -1 with an error
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
	records []C.bankml_batch_item // of the items that are drawn: those whose samplers are open
	places  []int                 // where each of them stands in the caller's list
	byID    []int                 // the caller's items in the order in which samplers are locked
	pinners []runtime.Pinner
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
	defer func() {
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
		}
	}
	runtime.KeepAlive(items)
	return nil
}

// arrange finds the order of locking; a missing sampler and one that stands twice are refused before anything is locked.
func (b *batch) arrange(op string, items []BatchItem) error {
	b.byID = slices.Grow(b.byID[:0], len(items))
	for i := range items {
		if items[i].Sampler == nil {
			return refused(op, ErrInvalidArgument, "item %d has no sampler", i)
		}
		if items[i].Sampler.id != 0 { // one that New did not make is closed, and stays so
			b.byID = append(b.byID, i)
		}
	}
	slices.SortFunc(b.byID, func(i, j int) int {
		return cmp.Or(cmp.Compare(items[i].Sampler.id, items[j].Sampler.id), cmp.Compare(i, j))
	})
	for k := 1; k < len(b.byID); k++ {
		if i, j := b.byID[k-1], b.byID[k]; items[i].Sampler == items[j].Sampler {
			return refused(op, ErrInvalidArgument, "items %d and %d have the same sampler", i, j)
		}
	}
	b.records = slices.Grow(b.records[:0], len(items))
	b.places = slices.Grow(b.places[:0], len(items))
	if grown := len(items) - len(b.pinners); grown > 0 {
		b.pinners = append(b.pinners, make([]runtime.Pinner, grown)...)
	}
	return nil
}

// add makes the record of an item whose sampler is locked, or its error if that is closed.
func (b *batch) add(op string, i int, item *BatchItem) {
	item.Token = -1
	if item.Sampler.h == nil {
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
