// One caller at a time on a sampler: a second thread gets BUSY and touches nothing, the text of the first one's error included.
#pragma once

#include "capi/src/handles.h"

namespace bankml::capi {

// Runs `body(sampler, error)`, which returns a Status and may throw.
template <class Body>
bankml_status alone(bankml_sampler* s, Body&& body) noexcept {
  if (s == nullptr) return BANKML_ARG;
  const BusyScope scope(s->sampler->busy);
  if (!scope.entered()) return BANKML_BUSY;
  return guard(s->error, [&] { return body(*s->sampler, s->error); });
}

}  // namespace bankml::capi
