package tinymodel

import "strings"

// Byte-level byte-pair encoding: a text is cut into words, a word into bytes, and the pair that was learnt first is joined until
// none is left. Source: R. Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units" (2016); the alphabet
// that stands for the 256 bytes is GPT-2's: printable Latin-1 characters stand for themselves, the other bytes for the characters
// from U+0100 on.
type tokenizer struct {
	pieces []string
	bytes  [256]int32 // the token of each byte
	merges map[[2]int32]merge
}

type merge struct {
	rank   int
	joined int32
}

func newTokenizer(names, merges []string, end int32) *tokenizer {
	t := &tokenizer{merges: map[[2]int32]merge{}}
	byteOf := map[rune]byte{}
	extra := rune(256)
	for b := range 256 {
		letter := rune(b)
		if printable := b >= 33 && b <= 126 || b >= 161 && b <= 172 || b >= 174; !printable {
			letter = extra
			extra++
		}
		byteOf[letter] = byte(b)
	}
	ids := map[string]int32{}
	for i, name := range names {
		id := int32(i)
		ids[name] = id
		var piece []byte
		for _, letter := range name {
			piece = append(piece, byteOf[letter])
		}
		if id == end {
			piece = nil
		}
		if len(piece) == 1 {
			t.bytes[piece[0]] = id
		}
		t.pieces = append(t.pieces, string(piece))
	}
	for rank, line := range merges {
		left, right, _ := strings.Cut(line, " ")
		joined, found := ids[left+right]
		if !found {
			malformed("the merge %q makes an unknown token", line)
		}
		t.merges[[2]int32{ids[left], ids[right]}] = merge{rank, joined}
	}
	return t
}

type kind int

const (
	space kind = iota
	letter
	digit
	other
)

func kindOf(c byte) kind {
	switch {
	case c == ' ' || c >= 9 && c <= 13:
		return space
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 128:
		return letter
	case c >= '0' && c <= '9':
		return digit
	}
	return other
}

// encode cuts where the kind of character changes; one space goes with the word behind it.
func (t *tokenizer) encode(text string) []int32 {
	var out []int32
	for i := 0; i < len(text); {
		start := i
		if text[i] == ' ' && i+1 < len(text) && kindOf(text[i+1]) != space {
			i++
		}
		k := kindOf(text[i])
		for i < len(text) && kindOf(text[i]) == k {
			i++
		}
		if k == space && i < len(text) && i-start > 1 && text[i-1] == ' ' {
			i--
		}
		out = append(out, t.word(text[start:i])...)
	}
	return out
}

func (t *tokenizer) word(word string) []int32 {
	symbols := make([]int32, len(word))
	for i := range len(word) {
		symbols[i] = t.bytes[word[i]]
	}
	for {
		best, at := merge{rank: len(t.merges)}, -1
		for i := range len(symbols) - 1 {
			if m, found := t.merges[[2]int32{symbols[i], symbols[i+1]}]; found && m.rank < best.rank {
				best, at = m, i
			}
		}
		if at < 0 {
			return symbols
		}
		pair := [2]int32{symbols[at], symbols[at+1]}
		joined := symbols[:0]
		for i := 0; i < len(symbols); i++ {
			if i+1 < len(symbols) && [2]int32{symbols[i], symbols[i+1]} == pair {
				joined = append(joined, best.joined)
				i++
			} else {
				joined = append(joined, symbols[i])
			}
		}
		symbols = joined
	}
}
