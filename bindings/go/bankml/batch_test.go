package bankml_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Batches: the tokens, states and errors of single calls, with a pool and without; refusals change nothing.

const batchVocab = 300

var batchRequests = []string{
	`{}`,
	`{"temperature": 0}`,
	`{"top_k": 0, "typical_p": 0.9}`,
	`{"mirostat": 2}`,
	`{"repeat_penalty": 1.3, "presence_penalty": 0.5}`,
	`{"top_k": 0, "xtc_probability": 0.5, "xtc_threshold": 0.05}`,
}

func batchSamplers(t testing.TB, count, n int) []*bankml.Sampler {
	t.Helper()
	samplers := make([]*bankml.Sampler, count)
	for i := range samplers {
		request := bankml.WithRequest(batchRequests[i%len(batchRequests)])
		samplers[i] = made(t, request, bankml.WithNVocab(n), bankml.WithSeed(uint32(i)))
	}
	return samplers
}

func batchItems(samplers []*bankml.Sampler, seed int64) []bankml.BatchItem {
	items := make([]bankml.BatchItem, len(samplers))
	for i, s := range samplers {
		items[i] = bankml.BatchItem{Sampler: s, Logits: row(s.NVocab(), 1000*seed+int64(i))}
	}
	return items
}

func madePool(t testing.TB, threads, n int) *bankml.Pool {
	t.Helper()
	p, err := bankml.NewPool(threads, n)
	succeed(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

// everyWay runs a test with SampleBatch and with pools of several sizes.
func everyWay(t *testing.T, n int, test func(t *testing.T, op string, draw func([]bankml.BatchItem) error)) {
	t.Run("alone", func(t *testing.T) { test(t, "SampleBatch", bankml.SampleBatch) })
	for _, threads := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(threads, " threads"), func(t *testing.T) {
			p := madePool(t, threads, n)
			if p.Threads() != threads {
				t.Error(p.Threads())
			}
			test(t, "Pool.Sample", p.Sample)
		})
	}
}

func TestBatchEqualsSingleDraws(t *testing.T) {
	everyWay(t, batchVocab, func(t *testing.T, _ string, draw func([]bankml.BatchItem) error) {
		batched, single := batchSamplers(t, 12, batchVocab), batchSamplers(t, 12, batchVocab)
		mask := make([]uint32, (batchVocab+31)/32)
		for i := range mask {
			mask[i] = 0x5A5AF00F*uint32(i+1) | 1
		}
		for step := range int64(25) {
			items := batchItems(batched, step)
			for i := range items {
				if i%3 == 0 {
					items[i].Mask = mask
				}
			}
			succeed(t, draw(items))
			for i, item := range items {
				succeed(t, item.Err)
				draws := single[i].Sample
				if item.Mask != nil {
					draws = func(logits []float32) (int32, error) { return single[i].SampleMasked(logits, item.Mask) }
				}
				want, err := draws(item.Logits)
				succeed(t, err)
				if item.Token != want {
					t.Fatalf("step %d, item %d: %d, not %d", step, i, item.Token, want)
				}
				succeed(t, batched[i].Accept(want))
				succeed(t, single[i].Accept(want))
			}
		}
	})
}

// Each item has its own outcome, whatever it had before; the failed draws leave no trace.
func TestBatchItemsFailAlone(t *testing.T) {
	everyWay(t, batchVocab, func(t *testing.T, op string, draw func([]bankml.BatchItem) error) {
		samplers := make([]*bankml.Sampler, 9)
		for i := range samplers {
			samplers[i] = made(t, bankml.WithNVocab(batchVocab), bankml.WithSeed(uint32(i)))
		}
		items := batchItems(samplers, 1)
		good := items[1].Logits
		items[1].Logits = append([]float32{}, good...)
		items[1].Logits[7] = inf - inf
		items[2].Logits = items[2].Logits[1:]
		items[3].Logits = nil
		items[4].Mask = make([]uint32, 10)
		items[5].Mask = []uint32{}
		succeed(t, samplers[6].Close())
		items[7].Sampler = new(bankml.Sampler)
		succeed(t, draw(items))
		for i, want := range []bankml.Code{0, bankml.ErrNonFinite, bankml.ErrLength, bankml.ErrLength, bankml.ErrNoCandidate,
			bankml.ErrLength, bankml.ErrClosed, bankml.ErrClosed, 0} {
			if want != 0 {
				fails(t, items[i].Err, want, op)
			} else {
				succeed(t, items[i].Err)
			}
			if (want == 0) != (items[i].Token >= 0) {
				t.Errorf("item %d: token %d, error %v", i, items[i].Token, items[i].Err)
			}
		}
		fails(t, items[1].Err, bankml.ErrNonFinite, "token 7")

		again := batchItems(samplers[1:6], 2)
		for i := range again {
			again[i].Err = errors.New("of an earlier batch")
		}
		succeed(t, draw(again))
		for i, item := range again {
			succeed(t, item.Err)
			fresh := made(t, bankml.WithNVocab(batchVocab), bankml.WithSeed(uint32(i+1)))
			if want := sample(t, fresh, item.Logits); item.Token != want {
				t.Errorf("item %d: %d, not %d", i, item.Token, want)
			}
		}
	})
}

func TestBatchesThatAreRefused(t *testing.T) {
	everyWay(t, batchVocab, func(t *testing.T, op string, draw func([]bankml.BatchItem) error) {
		samplers, twins := batchSamplers(t, 4, batchVocab), batchSamplers(t, 4, batchVocab)
		items := batchItems(samplers, 3)
		items[3].Sampler, items[3].Token = samplers[1], 77
		fails(t, draw(items), bankml.ErrInvalidArgument, op, "items 1 and 3 have the same sampler")
		items[3].Sampler = nil
		fails(t, draw(items), bankml.ErrInvalidArgument, op, "item 3 has no sampler")
		if items[3].Token != 77 || items[0].Err != nil || items[0].Token != 0 {
			t.Error("a refused batch changed its items")
		}
		items[3].Sampler = samplers[3]
		succeed(t, draw(items))
		for i, twin := range twins {
			if want := sample(t, twin, items[i].Logits); items[i].Token != want {
				t.Errorf("item %d: %d, not %d: the refused batches drew", i, items[i].Token, want)
			}
		}
		succeed(t, draw(nil))
		succeed(t, draw([]bankml.BatchItem{}))
	})
}

func TestClosedPool(t *testing.T) {
	p := madePool(t, 2, 16)
	succeed(t, p.Close())
	succeed(t, p.Close())
	fails(t, p.Sample(nil), bankml.ErrClosed, "Pool.Sample", "closed")
	fails(t, new(bankml.Pool).Sample(nil), bankml.ErrClosed, "Pool.Sample")
	if p.Threads() != 0 {
		t.Error(p.Threads())
	}
}

func TestPoolSizes(t *testing.T) {
	for _, wrong := range []struct {
		threads, n int
		text       string
	}{{5000, 0, "n_threads 5000 is above 1024"}, {-1, 0, "threads -1"}, {1, -1, "nVocab -1"}, {1, 1 << 31, "nVocab 2147483648"}} {
		_, err := bankml.NewPool(wrong.threads, wrong.n)
		fails(t, err, bankml.ErrInvalidArgument, "NewPool", wrong.text)
	}
	if madePool(t, 0, 0).Threads() < 1 {
		t.Error("no thread")
	}
}

// Rows may lie anywhere: in one large array, in a global variable, on a goroutine's stack.
var globalRow [batchVocab]float32

func TestBatchRowsAnywhere(t *testing.T) {
	everyWay(t, batchVocab, func(t *testing.T, _ string, draw func([]bankml.BatchItem) error) {
		var onStack [batchVocab]float32
		large := make([]float32, 4*batchVocab)
		for i := range batchVocab {
			globalRow[i], onStack[i] = float32(i%7), float32(i%11)
		}
		copy(large[5:], row(batchVocab, 1))
		copy(large[5+batchVocab:], row(batchVocab, 2))
		samplers, twins := batchSamplers(t, 4, batchVocab), batchSamplers(t, 4, batchVocab)
		rows := [][]float32{globalRow[:], onStack[:], large[5 : 5+batchVocab], large[5+batchVocab : 5+2*batchVocab]}
		items := make([]bankml.BatchItem, 4)
		for i := range items {
			items[i] = bankml.BatchItem{Sampler: samplers[i], Logits: rows[i]}
		}
		succeed(t, draw(items))
		for i, twin := range twins {
			succeed(t, items[i].Err)
			if want := sample(t, twin, rows[i]); items[i].Token != want {
				t.Errorf("row %d: %d, not %d", i, items[i].Token, want)
			}
		}
	})
}
