// One parameter as a value: the native setters' checks, and its number or JSON text.
//
// Every refusal is Failure(Status::arg) with the name as it was given, the value and the accepted range; nothing has changed then.
// Tested by tests/params/param_set.cpp
#pragma once

#include <string>
#include <string_view>

#include "core/formats/json.h"
#include "core/params/table.h"

namespace bankml {

// `given` is the spelling that the caller used; texts repeat it.
void set_param_number(Params& params, const ParamRow& row, std::string_view given, double value);
void set_param_json(Params& params, const ParamRow& row, std::string_view given, const json::Value& value);
// `samplers` and `disable` only: their short forms as one string.
void set_param_string(Params& params, const ParamRow& row, std::string_view given, std::string_view value);

double get_param_number(const Params& params, const ParamRow& row);  // Failure(arg) for kind json
// Appends JSON text. Floats print as the shortest text that reads back as the same float; a ban is `false`.
void append_param_json(std::string& out, const Params& params, const ParamRow& row);

// The shortest JSON text that reads back as the same float, -0.0 included; null for an infinity.
void append_float(std::string& out, float value);

std::string number_text(double value);  // shortest, "nan", "inf"; for texts of errors

}  // namespace bankml
