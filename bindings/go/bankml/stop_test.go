package bankml_test

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func stopOf(t testing.TB, texts []string, options ...bankml.StopOption) *bankml.Stop {
	t.Helper()
	s, err := bankml.NewStop(texts, options...)
	succeed(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func feed(t testing.TB, s *bankml.Stop, text string) string {
	t.Helper()
	out, err := s.Feed(nil, text)
	succeed(t, err)
	return string(out)
}

func flush(t testing.TB, s *bankml.Stop) string {
	t.Helper()
	out, err := s.Flush(nil)
	succeed(t, err)
	return string(out)
}

// wholeText is the slow way: the first place where a stop string ends, and there the longest.
func wholeText(text string, stops []string) (string, int) {
	for end := 1; end <= len(text); end++ {
		best := -1
		for i, stop := range stops {
			if strings.HasSuffix(text[:end], stop) && (best < 0 || len(stop) > len(stops[best])) {
				best = i
			}
		}
		if best >= 0 {
			return text[:end-len(stops[best])], best
		}
	}
	return text, -1
}

func TestStopAnyCut(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	draw := func(alphabet string, n int) string {
		var made []byte
		for range n {
			made = append(made, alphabet[random.Intn(len(alphabet))])
		}
		return string(made)
	}
	for range 500 {
		alphabet := []string{"ab", "aé€", "a😀"}[random.Intn(3)]
		var stops []string
		for range random.Intn(5) {
			stops = append(stops, draw(alphabet, 1+random.Intn(4)))
		}
		text := draw(alphabet, random.Intn(20))
		s := stopOf(t, stops)
		var out []byte
		for at := 0; at < len(text); {
			end := min(len(text), at+1+random.Intn(4))
			var err error
			out, err = s.Feed(out, text[at:end])
			succeed(t, err)
			at = end
		}
		matched := s.Matched()
		out, err := s.Flush(out)
		succeed(t, err)
		if want, which := wholeText(text, stops); string(out) != want || matched != which {
			t.Fatalf("%q with %q: %q and %d, not %q and %d", text, stops, out, matched, want, which)
		}
	}
}

func TestStopOverTokenBorders(t *testing.T) {
	s := stopOf(t, []string{"END", "\n\n"})
	if got := feed(t, s, "a E"); got != "a " || s.Held() != 1 || s.Matched() != -1 {
		t.Error(got, s.Held(), s.Matched())
	}
	other, err := s.Clone()
	succeed(t, err)
	defer other.Close()
	if got := feed(t, s, "ND of text"); got != "" || s.Matched() != 0 {
		t.Error(got, s.Matched())
	}
	if got := feed(t, s, "more") + flush(t, s); got != "" || s.Matched() != -1 {
		t.Error(got, s.Matched())
	}
	if got := feed(t, other, "n"); got != "En" {
		t.Error(got)
	}
	feed(t, other, "\n")
	succeed(t, other.Reset())
	if got := feed(t, other, "\n") + flush(t, other); got != "\n" {
		t.Error(got)
	}
}

func TestStopOptions(t *testing.T) {
	if got := feed(t, stopOf(t, []string{"ab", "abc"}, bankml.WithStopIncluded()), "xabc"); got != "xab" {
		t.Error(got)
	}
	byToken := stopOf(t, []string{"c", "bcd"}, bankml.WithStopByToken())
	if got := feed(t, byToken, "abcd"); got != "a" || byToken.Matched() != 1 {
		t.Error(got, byToken.Matched())
	}
}

func TestStopRefusals(t *testing.T) {
	_, err := bankml.NewStop([]string{"a", ""})
	if !errors.Is(err, bankml.ErrInvalidArgument) || !strings.Contains(err.Error(), "stop string 1 is empty") {
		t.Error(err)
	}
	for _, many := range [][]string{make([]string, 65537), {strings.Repeat("a", 1<<20), "b"}} {
		if _, err := bankml.NewStop(many); !errors.Is(err, bankml.ErrLimit) {
			t.Error(err)
		}
	}
	s := stopOf(t, nil)
	succeed(t, s.Close())
	succeed(t, s.Close())
	_, fed := s.Feed(nil, "a")
	_, flushed := s.Flush(nil)
	_, cloned := s.Clone()
	for _, err := range []error{fed, flushed, cloned, s.Reset()} {
		if !errors.Is(err, bankml.ErrClosed) {
			t.Error(err)
		}
	}
	if s.Held() != 0 {
		t.Error(s.Held())
	}
}
