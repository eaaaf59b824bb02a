// Command adapter runs the recorded cases of tests/vectors through this binding: it speaks the protocol of tests/replay/README.md
// on its standard input and output, with the public interface of package bankml alone.
//
//	go build -o adapter ./bindings/go/internal/adapter
//	bankml_replay --adapter ./adapter tests/vectors/*.jsonl
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func main() {
	a := adapter{in: bufio.NewReaderSize(os.Stdin, 1<<20), out: bufio.NewWriter(os.Stdout)}
	if err := a.serve(); err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(1)
	}
}

// serve answers one line after the other until the end of input.
func (a *adapter) serve() error {
	for {
		line, err := a.in.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		}
		if err != nil {
			return err
		}
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		answer, found := answers[words[0]]
		if !found {
			return fmt.Errorf("unknown request %q", words[0])
		}
		a.words = words[1:]
		a.reply = []string{"ok"}
		a.raw = nil
		if err := a.run(answer); err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
		fmt.Fprintln(a.out, strings.Join(a.reply, " "))
		a.out.Write(a.raw)
		if err := a.out.Flush(); err != nil {
			return err
		}
	}
}

// run answers one request. A refusal of the library is a reply too; a malformed request ends the program.
func (a *adapter) run(answer func(*adapter) error) (malformed error) {
	defer func() {
		if fault, ok := recover().(malformedError); ok {
			malformed = fault
		}
	}()
	var refused *bankml.Error
	switch err := answer(a); {
	case errors.As(err, &refused):
		a.reply = []string{"error", fmt.Sprint(int32(refused.Code)), hexOf(refused.Msg)}
		a.raw = nil
	case err != nil:
		return err
	}
	return nil
}
