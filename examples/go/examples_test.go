package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// What each program must print at least, as examples/cpp/CMakeLists.txt has it for C and C++.
var expected = map[string]string{
	"greedy":         `^status: ok, token: 3\n$`,
	"generate":       `^Once upon a time[^\n]*[a-z]\.`,
	"penalties_dry":  `(?s)greedy: .*penalties: .*dry: .*\n  .I have seen the map`,
	"masked_redraw":  `^text:[^eEqQxX\n]*\n80 draws, [1-9][0-9]* of them again\n$`,
	"constrained":    `^begins with \{\n\{ ?"title": "[A-Z][a-z ]*", ?"pet": "[a-z]+", ?"age": [0-9]+ ?\}\n[0-9]+ draws, [1-9][0-9]* of them again\n$`,
	"logprobs":       `(?s)before:.*after: `,
	"many_sequences": `(?s)^0: .*\n7: `,
}

// Every program runs and prints what it should: to the letter what its C twin prints, where BANKML_C_EXAMPLES names the folder of the
// built C programs.
func TestPrograms(t *testing.T) {
	folder := t.TempDir()
	if output, err := exec.Command("go", "build", "-o", folder, "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	built, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(built) != len(expected) {
		t.Fatalf("the programs are %q (%v), expectations are there for %d", built, err, len(expected))
	}
	for name, pattern := range expected {
		t.Run(name, func(t *testing.T) {
			printed, err := exec.Command(filepath.Join(folder, name)).Output()
			if err != nil || !regexp.MustCompile(pattern).Match(printed) {
				t.Errorf("%v\n%s", err, printed)
			}
			twins := os.Getenv("BANKML_C_EXAMPLES")
			if twins == "" {
				return
			}
			twin, err := exec.Command(filepath.Join(twins, name)).Output()
			if err != nil || string(twin) != string(printed) {
				t.Errorf("the C program prints (%v)\n%s\nand this one\n%s", err, twin, printed)
			}
		})
	}
}
