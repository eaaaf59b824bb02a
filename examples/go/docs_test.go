package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every program in docs/go.md prints what its `// Output:` says.
func TestProgramsOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := regexp.MustCompile("(?s)```go\n(package main\n.*?)```").FindAllSubmatch(page, -1)
	if len(programs) < 2 {
		t.Fatalf("%d programs in docs/go.md", len(programs))
	}
	for _, program := range programs {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, program[1], 0o600); err != nil {
			t.Fatal(err)
		}
		_, comment, found := strings.Cut(string(program[1]), "\t// Output:\n\t// ")
		want, _, _ := strings.Cut(comment, "\n}")
		want = strings.ReplaceAll(want, "\n\t// ", "\n") + "\n"
		// The file's imports are found in the module that this test belongs to.
		if printed, err := exec.Command("go", "run", file).CombinedOutput(); err != nil || !found || string(printed) != want {
			t.Errorf("%v, printed\n%s\nnot\n%s\nby\n%s", err, printed, want, program[1])
		}
	}
}
