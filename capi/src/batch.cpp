// Batches at the border. Every sampler of a batch is entered before the first draw, so that a sampler listed twice is found with no
// table of those seen: the second entry fails, and an earlier item holds the same sampler.
//
// Tested by tests/capi/batch.c and tests/capi/batch_draws.cpp
#include <cstddef>
#include <memory>

#include "capi/src/alone.h"
#include "capi/src/handles.h"

namespace bankml::capi {

static_assert(sizeof(bankml_batch_item) == offsetof(bankml_batch_item, n_words) + sizeof(size_t));

class Batch {
 public:
  Batch(bankml_batch_item* items, size_t n) noexcept : items_(items), n_(n) {}

  // Enters all samplers; on failure none stays entered. An item whose sampler another thread uses gets BUSY here and is not drawn.
  Status enter(ErrorText& error) noexcept {
    for (size_t i = 0; i < n_; ++i) {
      const Status status = enter_one(i, error);
      if (status == Status::ok) continue;
      for (size_t j = 0; j < i; ++j) {
        if (items_[j].status == BANKML_OK) items_[j].sampler->sampler->busy.leave();
      }
      return status;
    }
    return Status::ok;
  }

  static void draw(void* batch, size_t i, Workspace* workspace) noexcept {
    bankml_batch_item& item = static_cast<Batch*>(batch)->items_[i];
    if (item.status != BANKML_OK) return;
    Sampler& sampler = *item.sampler->sampler;
    ErrorText& error = item.sampler->error;
    item.status = guard(error, [&] {
      sampler.borrow(workspace);
      const Status status = draw_one(sampler, item, error);
      sampler.borrow(nullptr);
      return status;
    });
    sampler.busy.leave();
  }

 private:
  Status enter_one(size_t i, ErrorText& error) noexcept {
    bankml_batch_item& item = items_[i];
    if (item.struct_size != sizeof item) {
      return error.set(Status::arg, "struct_size of item %zu is %u, this version's is %zu", i, item.struct_size, sizeof item);
    }
    if (item.sampler == nullptr) return error.set(Status::arg, "item %zu has no sampler", i);
    if (item.sampler->sampler->busy.enter()) {
      item.status = BANKML_OK;
      return Status::ok;
    }
    for (size_t j = 0; j < i; ++j) {
      if (items_[j].sampler == item.sampler) return error.set(Status::arg, "items %zu and %zu have the same sampler", j, i);
    }
    item.status = BANKML_BUSY;
    return Status::ok;
  }

  static Status draw_one(Sampler& sampler, bankml_batch_item& item, ErrorText& error) noexcept {
    if (item.logits == nullptr) return error.set(Status::arg, "logits is NULL");
    if (item.words == nullptr) return sampler.sample(item.logits, item.n, nullptr, &item.token, error);
    return sample_masked(sampler, item.logits, item.n, item.words, item.n_words, &item.token, error);
  }

  bankml_batch_item* items_;
  size_t n_;
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
