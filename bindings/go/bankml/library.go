package bankml

/*
#include <stdlib.h>
#include "bankml.h"
*/
import "C"

import (
	"strings"
	"unsafe"
)

// Version is the version of this package; the library's own is [LibraryVersion]. They differ only under the build tag
// bankml_system.
const Version = "0.1.0"

// LibraryVersion is the version of the library in use, such as "0.1.0".
func LibraryVersion() string { return C.GoString(C.bankml_version_string()) }

// ABIVersion is the version of the library's binary interface. Constructors refuse a library with another one than this package was
// written for.
func ABIVersion() uint32 { return uint32(C.bankml_abi_version()) }

// checkABI matters for an installed library (bankml_system), which may be newer or older than this package.
func checkABI(op string) error {
	if found := ABIVersion(); found != C.BANKML_ABI_VERSION {
		return refused(op, ErrInvalidArgument, "the library has ABI version %d, this package needs %d", found, C.BANKML_ABI_VERSION)
	}
	return nil
}

// SelfCheck proves that this process computes exactly: no contraction to fused multiply-add, no wider evaluation, subnormals kept,
// float functions and one golden draw with their expected bits, at every CPU level of this machine. The report has one line for
// each check. The error is [ErrInternal] and names the first that failed.
func SelfCheck() (report string, err error) {
	text := make([]C.char, 8192)
	status := C.bankml_self_check(unsafe.SliceData(text), C.size_t(len(text)))
	report = C.GoString(unsafe.SliceData(text))
	if status != C.BANKML_OK {
		return report, failed("SelfCheck", status, report)
	}
	return report, nil
}

// CPUName is the CPU level that samplers made from now on use: "scalar", "avx2", "avx512" or "neon". Results are equal at every
// level.
func CPUName() string { return C.GoString(C.bankml_cpu_name()) }

// CPULevels lists the levels that this machine can run, slowest first.
func CPULevels() []string {
	var names []string
	for {
		name := C.bankml_cpu_level(C.size_t(len(names)))
		if name == nil {
			return names
		}
		names = append(names, C.GoString(name))
	}
}

// CPUForce is for tests and benches: it forces a level for samplers made later; "auto" is the best. The library's one process-wide
// value. [ErrInvalidArgument] if the machine lacks the level.
func CPUForce(name string) error {
	text, err := cName("CPUForce", name)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(text))
	if status := C.bankml_cpu_force(text); status != C.BANKML_OK {
		return refused("CPUForce", Code(status), "this machine has no CPU level %q", name)
	}
	return nil
}

// Kind is the type of a parameter's values.
type Kind int32

// Kinds of parameters.
const (
	KindInteger Kind = C.BANKML_KIND_INTEGER // int32, or uint32 for seed
	KindNumber  Kind = C.BANKML_KIND_NUMBER  // float32
	KindBoolean Kind = C.BANKML_KIND_BOOLEAN
	KindJSON    Kind = C.BANKML_KIND_JSON // an array or an object
)

// ParamSpec is one row of the parameter table.
type ParamSpec struct {
	Name        string   // canonical name, llama-server's request field where it has one
	Aliases     []string // accepted wherever Name is
	Kind        Kind
	Step        string // the step that reads it, "" if none
	Doc         string // one line
	DefaultJSON string // default of the profile llama, as JSON text
	Min, Max    float64
}

// ParamTable lists every parameter that [With] and [Params.Set] know. Min and Max bound what they accept, inclusive.
func ParamTable() []ParamSpec {
	rows := make([]ParamSpec, 0, C.bankml_param_count())
	for i := C.size_t(0); i < C.bankml_param_count(); i++ {
		row := C.bankml_param_spec{struct_size: C.sizeof_bankml_param_spec}
		if C.bankml_param_info(i, &row) != C.BANKML_OK {
			break // only under bankml_system, whose ABI version the constructors refuse
		}
		spec := ParamSpec{
			Name:        C.GoString(row.name),
			Kind:        Kind(row.kind),
			Step:        C.GoString(row.step),
			Doc:         C.GoString(row.doc),
			DefaultJSON: C.GoString(row.default_json),
			Min:         float64(row.min),
			Max:         float64(row.max),
		}
		if aliases := C.GoString(row.aliases); aliases != "" {
			spec.Aliases = strings.Split(aliases, ",")
		}
		rows = append(rows, spec)
	}
	return rows
}
