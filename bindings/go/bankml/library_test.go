package bankml_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

var contains = strings.Contains

// The package, the library and the project say the same version.
func TestVersions(t *testing.T) {
	project, err := os.ReadFile("../../../VERSION")
	succeed(t, err)
	if version := strings.TrimSpace(string(project)); bankml.Version != version || bankml.LibraryVersion() != version {
		t.Errorf("VERSION %s, package %s, library %s", version, bankml.Version, bankml.LibraryVersion())
	}
	if bankml.ABIVersion() == 0 {
		t.Error("no ABI version")
	}
}

func TestSelfCheck(t *testing.T) {
	report, err := bankml.SelfCheck()
	succeed(t, err)
	if lines := strings.Split(strings.TrimSpace(report), "\n"); len(lines) < 5 {
		t.Errorf("the report has %d lines:\n%s", len(lines), report)
	}
}

// Every CPU level draws the same tokens.
func TestCPULevels(t *testing.T) {
	levels := bankml.CPULevels()
	if len(levels) == 0 || levels[0] != "scalar" || !slices.Contains(levels, bankml.CPUName()) {
		t.Fatalf("levels %q, in use %q", levels, bankml.CPUName())
	}
	defer bankml.CPUForce("auto")
	var first []int32
	for _, level := range levels {
		succeed(t, bankml.CPUForce(level))
		if bankml.CPUName() != level {
			t.Errorf("forced %s, in use is %s", level, bankml.CPUName())
		}
		tokens := stream(t, made(t, bankml.WithNVocab(1000), bankml.WithSeed(3)), 0, 30)
		if first == nil {
			first = tokens
		}
		if !slices.Equal(tokens, first) {
			t.Errorf("%s draws %v, %s drew %v", level, tokens, levels[0], first)
		}
	}
	fails(t, bankml.CPUForce("abacus"), bankml.ErrInvalidArgument, "abacus")
	fails(t, bankml.CPUForce("scalar\x00"), bankml.ErrInvalidArgument, "zero byte")
}

func TestParamTable(t *testing.T) {
	table := bankml.ParamTable()
	find := func(name string) bankml.ParamSpec {
		i := slices.IndexFunc(table, func(row bankml.ParamSpec) bool { return row.Name == name })
		if i < 0 {
			t.Fatalf("%s is not in the table", name)
		}
		return table[i]
	}
	temperature, topK := find("temperature"), find("top_k")
	if temperature.Kind != bankml.KindNumber || !slices.Equal(temperature.Aliases, []string{"temp"}) || temperature.Doc == "" ||
		temperature.Step != "temperature" {
		t.Errorf("%+v", temperature)
	}
	if topK.Kind != bankml.KindInteger || topK.DefaultJSON != "40" || topK.Aliases != nil || topK.Max != 1<<31-1 {
		t.Errorf("%+v", topK)
	}
	if find("ignore_eos").Kind != bankml.KindBoolean || find("logit_bias").Kind != bankml.KindJSON {
		t.Error("kinds")
	}
}

// An error is found by its code, by its type, and by its text.
func TestErrors(t *testing.T) {
	_, err := bankml.New(bankml.WithNVocab(8), bankml.With("top_k", 1.5))
	var detail *bankml.Error
	if !errors.As(err, &detail) || detail.Code != bankml.ErrInvalidArgument || detail.Op != "Params.SetNumber" {
		t.Fatalf("%#v", err)
	}
	if errors.Is(err, bankml.ErrToken) || !contains(err.Error(), "top_k") || !contains(err.Error(), "1.5") {
		t.Error(err)
	}
	if bankml.ErrLength.Error() == "" || bankml.ErrClosed.Error() != "closed" || bankml.Code(77).Error() != "unknown status" {
		t.Error("texts of the codes")
	}
}
