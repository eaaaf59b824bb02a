// Batches at the border. Every sampler and grammar of a batch is entered before the first draw, so that one listed twice is found
// with no table of those seen: the second entry fails, and an earlier item holds the same handle.
//
// Tested by tests/capi/batch.c, tests/capi/batch_grammar.c and tests/capi/batch_draws.cpp
#include <algorithm>
#include <cstddef>
#include <memory>

#include "capi/src/alone.h"
#include "capi/src/constrained.h"
#include "capi/src/handles.h"

namespace bankml::capi {

static_assert(sizeof(bankml_batch_item) == offsetof(bankml_batch_item, redrawn) + sizeof(int32_t));

// Items as the first version had them end before the grammar.
constexpr size_t first_item_size = offsetof(bankml_batch_item, grammar);

class Batch {
 public:
  // n > 0: the first item says how far one is from the next.
  Batch(bankml_batch_item* items, size_t n) noexcept : items_(items), n_(n), stride_(n == 0 ? 0 : items->struct_size) {}

  // Enters all samplers and grammars; on failure none stays entered. An item of which another thread uses one gets BUSY here and
  // is not drawn.
  Status enter(ErrorText& error) noexcept {
    const Status fits = check_sizes(error);
    if (fits != Status::ok) return fits;
    for (size_t i = 0; i < n_; ++i) {
      const Status status = enter_one(i, error);
      if (status == Status::ok) continue;
      for (size_t j = 0; j < i; ++j) {
        if (item(j).status == BANKML_OK) leave(item(j));
      }
      return status;
    }
    return Status::ok;
  }

  static void draw(void* batch, size_t i, Workspace* workspace) noexcept { static_cast<Batch*>(batch)->draw_item(i, workspace); }

 private:
  bankml_batch_item& item(size_t i) const noexcept {
    return *reinterpret_cast<bankml_batch_item*>(reinterpret_cast<unsigned char*>(items_) + i * stride_);
  }
  bankml_grammar* grammar_of(const bankml_batch_item& item) const noexcept {
    return stride_ < sizeof item ? nullptr : item.grammar;
  }

  Status check_sizes(ErrorText& error) const noexcept {
    for (size_t i = 0; i < n_; ++i) {
      const bankml_batch_item& one = item(i);
      const size_t size = one.struct_size;
      const bool known = size == first_item_size || (size >= sizeof one && size % alignof(bankml_batch_item) == 0);
      if (!known || size != stride_) {
        return error.set(Status::arg, "struct_size of item %zu is %zu, this version's is %zu", i, size, sizeof one);
      }
      const auto* const bytes = reinterpret_cast<const unsigned char*>(&one);
      if (size > sizeof one && std::any_of(bytes + sizeof one, bytes + size, [](unsigned char byte) { return byte != 0; })) {
        return error.set(Status::arg, "item %zu has members that this version does not know", i);
      }
    }
    return Status::ok;
  }

  Status enter_one(size_t i, ErrorText& error) noexcept {
    bankml_batch_item& entered = item(i);
    if (entered.sampler == nullptr) return error.set(Status::arg, "item %zu has no sampler", i);
    if (!entered.sampler->sampler->busy.enter()) {
      for (size_t j = 0; j < i; ++j) {
        if (item(j).sampler == entered.sampler) {
          return error.set(Status::arg, "items %zu and %zu have the same sampler", j, i);
        }
      }
      entered.status = BANKML_BUSY;
      return Status::ok;
    }
    entered.status = BANKML_OK;
    bankml_grammar* const grammar = grammar_of(entered);
    if (grammar == nullptr || grammar->busy.enter()) return Status::ok;
    Status status = Status::ok;
    for (size_t j = 0; j < i && status == Status::ok; ++j) {
      if (grammar_of(item(j)) == grammar) status = error.set(Status::arg, "items %zu and %zu have the same grammar", j, i);
    }
    entered.sampler->error.set(Status::busy, "the grammar is in use by another thread");
    entered.status = BANKML_BUSY;
    entered.sampler->sampler->busy.leave();
    return status;
  }

  void leave(const bankml_batch_item& item) const noexcept {
    if (bankml_grammar* const grammar = grammar_of(item)) grammar->busy.leave();
    item.sampler->sampler->busy.leave();
  }

  void draw_item(size_t i, Workspace* workspace) noexcept {
    bankml_batch_item& drawn = item(i);
    if (drawn.status != BANKML_OK) return;
    Sampler& sampler = *drawn.sampler->sampler;
    ErrorText& error = drawn.sampler->error;
    sampler.borrow(workspace);
    drawn.status = guard(error, [&] { return draw_one(sampler, drawn, error); });
    sampler.borrow(nullptr);
    leave(drawn);
  }

  Status draw_one(Sampler& sampler, bankml_batch_item& item, ErrorText& error) const {
    if (stride_ >= sizeof item) item.redrawn = 0;
    if (bankml_grammar* const grammar = grammar_of(item)) {
      if (item.words != nullptr) return error.set(Status::arg, "the item has a mask and a grammar");
      return sample_constrained(sampler, item.logits, item.n, *grammar, item.flags, &item.token, &item.redrawn, error);
    }
    if (stride_ >= sizeof item && item.flags != 0) {
      return error.set(Status::arg, "flags is %u, but the item has no grammar", item.flags);
    }
    if (item.logits == nullptr) return error.set(Status::arg, "logits is NULL");
    if (item.words == nullptr) return sampler.sample(item.logits, item.n, nullptr, &item.token, error);
    return sample_masked(sampler, item.logits, item.n, item.words, item.n_words, &item.token, error);
  }

  bankml_batch_item* items_;
  size_t n_, stride_;
};

}  // namespace bankml::capi

extern "C" {

bankml_pool* bankml_pool_new(size_t n_threads, size_t n_vocab, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_pool>(err, err_cap, [&] { return std::make_unique<bankml_pool>(n_threads, n_vocab); });
}

void bankml_pool_free(bankml_pool* pool) noexcept { delete pool; }

size_t bankml_pool_threads(const bankml_pool* pool) noexcept { return pool == nullptr ? 1 : pool->pool.threads(); }

const char* bankml_pool_error(const bankml_pool* pool) noexcept { return pool == nullptr ? "" : pool->error.c_str(); }

bankml_status bankml_batch_sample(bankml_pool* pool, bankml_batch_item* items, size_t n) noexcept {
  bankml::ErrorText text_of_no_pool;
  bankml::BusyFlag no_pool;
  const bankml::BusyScope scope(pool == nullptr ? no_pool : pool->pool.busy);
  if (!scope.entered()) return BANKML_BUSY;
  bankml::ErrorText& error = pool == nullptr ? text_of_no_pool : pool->error;
  return bankml::capi::guard(error, [&] {
    if (items == nullptr && n > 0) return error.set(bankml::Status::arg, "items is NULL, but n is %zu", n);
    bankml::capi::Batch batch(items, n);
    const bankml::Status entered = batch.enter(error);
    if (entered != bankml::Status::ok) return entered;
    if (pool != nullptr) {
      pool->pool.run(n, bankml::capi::Batch::draw, &batch);
    } else {
      for (size_t i = 0; i < n; ++i) bankml::capi::Batch::draw(&batch, i, nullptr);
    }
    return bankml::Status::ok;
  });
}

}  // extern "C"
