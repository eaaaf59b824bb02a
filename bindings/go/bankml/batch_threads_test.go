package bankml_test

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Four goroutines draw batches at once, over samplers that all of them share in different orders, with a pool each or none: no ring
// of waiting, no race, and every sampler's tokens are those of one goroutine. 10,000 draws and more.
func TestGoroutinesDrawBatches(t *testing.T) {
	const goroutines, rounds, shared, own, n = 4, 160, 8, 8, 100
	samplers, twins := batchSamplers(t, shared, n), batchSamplers(t, shared, n)
	logits := row(n, 5)
	drawn := make([][][]int32, goroutines)
	var group sync.WaitGroup
	for g := range goroutines {
		group.Add(1)
		go func() {
			defer group.Done()
			draw := bankml.SampleBatch
			if g%2 == 0 {
				draw = madePool(t, 3, n).Sample
			}
			mine, alone := batchSamplers(t, own, n), batchSamplers(t, own, n)
			drawn[g] = make([][]int32, shared)
			for round := range rounds {
				items := make([]bankml.BatchItem, 0, shared+own)
				for i := range shared {
					items = append(items, bankml.BatchItem{Sampler: samplers[(i*(2*g+1)+round)%shared], Logits: logits})
				}
				for _, s := range mine {
					items = append(items, bankml.BatchItem{Sampler: s, Logits: logits})
				}
				if err := draw(items); err != nil {
					t.Error(err)
					return
				}
				for k, item := range items {
					if item.Err != nil {
						t.Error(item.Err)
						return
					}
					if k < shared {
						i := slices.Index(samplers, item.Sampler)
						drawn[g][i] = append(drawn[g][i], item.Token)
					} else if want, err := alone[k-shared].Sample(logits); err != nil || want != item.Token {
						t.Errorf("%d, not %d (%v)", item.Token, want, err)
						return
					}
				}
			}
		}()
	}
	group.Wait()
	if t.Failed() {
		return
	}
	for i, twin := range twins {
		var together []int32
		alone := make([]int32, goroutines*rounds)
		for g := range goroutines {
			together = append(together, drawn[g][i]...)
		}
		for k := range alone {
			alone[k] = sample(t, twin, logits)
		}
		slices.Sort(together)
		slices.Sort(alone)
		if !slices.Equal(together, alone) {
			t.Errorf("sampler %d: the tokens are not those of one goroutine", i)
		}
	}
}

// A pool in use refuses the second batch whole; samplers in use are waited for.
func TestGoroutinesMeetOnAPool(t *testing.T) {
	const n = 60000
	p := madePool(t, 2, n)
	mine, other, twin := []*bankml.Sampler{slow(t, n), slow(t, n), slow(t, n)}, slow(t, n), slow(t, n)
	logits := row(n, 1)
	items := make([]bankml.BatchItem, len(mine))
	for i, s := range mine {
		items[i] = bankml.BatchItem{Sampler: s, Logits: logits}
	}
	met, ended := make(chan struct{}), make(chan error)
	go func() {
		for {
			if err := p.Sample(items); err != nil && !errors.Is(err, bankml.ErrBusy) {
				ended <- err
				return
			}
			select {
			case <-met:
				ended <- nil
				return
			default:
			}
		}
	}()
	item := []bankml.BatchItem{{Sampler: other, Logits: logits}}
	var drawn []int32
	deadline := time.Now().Add(2 * time.Minute)
	for busy := false; !busy; {
		if time.Now().After(deadline) {
			t.Error("the two never met")
			break
		}
		err := p.Sample(item)
		if busy = errors.Is(err, bankml.ErrBusy); busy {
			fails(t, err, bankml.ErrBusy, "Pool.Sample", "in use")
		} else {
			succeed(t, err)
			drawn = append(drawn, item[0].Token)
		}
	}
	close(met)
	succeed(t, <-ended)
	for _, token := range drawn {
		if want := sample(t, twin, logits); token != want {
			t.Errorf("%d, not %d: a refused batch drew", token, want)
		}
	}
}

// Close of a pool, and of a sampler, waits for the batch under way.
func TestCloseDuringABatch(t *testing.T) {
	const n = 100000
	logits := row(n, 1)
	for range 5 {
		p := madePool(t, 2, n)
		samplers := []*bankml.Sampler{slow(t, n), slow(t, n), slow(t, n)}
		items := make([]bankml.BatchItem, len(samplers))
		for i, s := range samplers {
			items[i] = bankml.BatchItem{Sampler: s, Logits: logits}
		}
		begun, ended := make(chan struct{}), make(chan error)
		go func() {
			close(begun)
			for {
				if err := p.Sample(items); err != nil {
					ended <- err
					return
				}
			}
		}()
		<-begun
		time.Sleep(time.Millisecond)
		succeed(t, samplers[1].Close())
		time.Sleep(time.Millisecond)
		succeed(t, p.Close())
		if err := <-ended; !errors.Is(err, bankml.ErrClosed) && !errors.Is(err, bankml.ErrBusy) {
			t.Error(err)
		}
		if items[1].Err != nil {
			fails(t, items[1].Err, bankml.ErrClosed)
		}
	}
}

// Pools that are dropped without Close end their threads once the collector has found them.
func TestForgottenPools(t *testing.T) {
	threads := func() int {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Skip("this system does not tell how many threads a process has")
		}
		return len(tasks)
	}
	before := threads()
	for range 20 {
		if _, err := bankml.NewPool(10, 0); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(time.Minute)
	for threads() > before+60 && time.Now().Before(deadline) {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if left := threads(); left > before+60 {
		t.Errorf("%d threads before, %d after: 180 were dropped", before, left)
	}
}
