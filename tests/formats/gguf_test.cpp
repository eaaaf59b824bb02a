// core/formats/gguf.h: files written by the gguf package (make_vectors.py), and the same files damaged in every way that is cheap
// to try.
#include "core/formats/gguf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>

#include "core/base/status.h"

namespace bankml::gguf {
namespace {

const std::string folder = BANKML_SOURCE_DIR "/tests/vectors/";

std::string bytes_of(const std::string& name) {
  std::ifstream stream(folder + name, std::ios::binary);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

// "" if the bytes are read, otherwise the refusal, which has to be a clean one.
std::string refusal(const std::string& bytes) {
  try {
    const File file = File::from_bytes(bytes);
    for (const Value& value : file.values()) {  // every string must lie inside the bytes
      for (size_t i = 0; value.type() == Type::string && i < value.size(); ++i) (void)std::string(value.string(i));
    }
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::parse) << failure.text();
    EXPECT_EQ(failure.text().rfind("GGUF: ", 0), 0u) << failure.text();
    return failure.text();
  }
  return {};
}

std::string number(uint64_t value, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

std::string text(const std::string& bytes) { return number(bytes.size(), 8) + bytes; }

std::string header(uint64_t pairs) { return "GGUF" + number(3, 4) + number(0, 8) + number(pairs, 8); }

void expect_all_types(const File& file) {
  const auto get = [&](const char* key) -> const Value& {
    const Value* value = file.find(key);
    if (value == nullptr) throw Failure(Status::internal, std::string("no ") + key);
    EXPECT_EQ(value->key(), key);
    return *value;
  };
  EXPECT_EQ(file.tensor_count(), 1u);
  EXPECT_EQ(get("u8").unsigned_integer(), 250u);
  EXPECT_EQ(get("i8").signed_integer(), -100);
  EXPECT_EQ(get("u16").unsigned_integer(), 65000u);
  EXPECT_EQ(get("i16").signed_integer(), -30000);
  EXPECT_EQ(get("u32").unsigned_integer(), 4000000000u);
  EXPECT_EQ(get("i32").signed_integer(), -2000000000);
  EXPECT_EQ(get("u64").unsigned_integer(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(get("i64").signed_integer(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(get("f32").f32(), 0.1f);
  EXPECT_EQ(get("f64").f64(), 0.1);
  EXPECT_TRUE(get("yes").boolean());
  EXPECT_FALSE(get("no").boolean());
  EXPECT_EQ(get("str").string(), std::string("\xC5\xBElu\xC5\xA5\n\0end", 11));
  EXPECT_EQ(get("empty").string(), "");
  EXPECT_TRUE(get("u8").is(Type::u8));
  EXPECT_FALSE(get("u8").is_array());
  EXPECT_EQ(get("u8").size(), 1u);

  EXPECT_TRUE(get("u8s").is_array_of(Type::u8));
  EXPECT_FALSE(get("u8s").is(Type::u8));
  EXPECT_EQ(get("u8s").size(), 3u);
  EXPECT_EQ(get("u8s").unsigned_integer(2), 255u);
  EXPECT_EQ(get("i16s").signed_integer(0), -1);
  EXPECT_EQ(get("i16s").signed_integer(2), 32767);
  EXPECT_EQ(get("i32s").signed_integer(1), 5);
  EXPECT_EQ(get("u64s").unsigned_integer(0), uint64_t{1} << 63);
  EXPECT_EQ(get("f32s").f32(0), 1.5f);
  EXPECT_TRUE(std::signbit(get("f32s").f32(1)));
  EXPECT_TRUE(std::isinf(get("f32s").f32(2)));
  EXPECT_EQ(get("f64s").f64(0), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(get("bools").boolean(2));
  EXPECT_FALSE(get("bools").boolean(1));
  EXPECT_EQ(get("strs").string(0), "a");
  EXPECT_EQ(get("strs").string(1), "");
  EXPECT_EQ(get("strs").string(2),
            "\xE2\x96\x81"
            "c");
  EXPECT_EQ(file.find("none"), nullptr);
}

TEST(Gguf, ReadsEveryType) {
  for (const char* name : {"gguf/all-types.gguf", "gguf/version-2.gguf"}) {
    SCOPED_TRACE(name);
    const File from_bytes = File::from_bytes(bytes_of(name));  // the bytes are gone afterwards
    expect_all_types(from_bytes);
    File from_path = File::from_path(folder + name);
    expect_all_types(from_path);
    const File moved = std::move(from_path);
    expect_all_types(moved);
    EXPECT_EQ(moved.version(), std::string(name).find("2") == std::string::npos ? 3u : 2u);
    EXPECT_EQ(moved.values().front().key(), "general.architecture");
  }
}

TEST(Gguf, WrongTypesAndIndicesAreNamed) {
  const File file = File::from_bytes(bytes_of("gguf/all-types.gguf"));
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), Status::parse);
      return failure.text();
    }
    return "no refusal";
  };
  EXPECT_EQ(message([&] { file.find("str")->f32(); }), "GGUF: key 'str' has 1 of type str where f32 is expected");
  EXPECT_EQ(message([&] { file.find("u8")->signed_integer(); }),
            "GGUF: key 'u8' has 1 of type u8 where a signed integer is expected");
  EXPECT_EQ(message([&] { file.find("i8")->unsigned_integer(); }),
            "GGUF: key 'i8' has 1 of type i8 where an unsigned integer is expected");
  EXPECT_EQ(message([&] { file.find("u8s")->unsigned_integer(3); }),
            "GGUF: key 'u8s' has 3 of type u8 (array) where u8 is expected");
  EXPECT_EQ(message([&] { file.find("strs")->string(3); }),
            "GGUF: key 'strs' has 3 of type str (array) where a string is expected");
}

TEST(Gguf, RefusesWhatItDoesNotRead) {
  EXPECT_EQ(refusal(""), "GGUF: the file is too short for its magic, at byte 0");
  EXPECT_EQ(refusal("GGUX" + std::string(40, '\0')), "GGUF: this is no GGUF file (the magic is missing), at byte 0");
  EXPECT_EQ(refusal(bytes_of("gguf/big-endian.gguf")), "GGUF: the file is big-endian, which is not supported, at byte 8");
  EXPECT_EQ(refusal("GGUF" + number(1, 4) + std::string(40, '\0')), "GGUF: version 1 is no longer supported, at byte 8");
  EXPECT_EQ(refusal("GGUF" + number(4, 4) + std::string(40, '\0')), "GGUF: unknown version 4, at byte 8");
  EXPECT_EQ(refusal("GGUF" + number(0, 4) + std::string(40, '\0')), "GGUF: unknown version 0, at byte 8");
  EXPECT_EQ(refusal(header(0)), "");
  EXPECT_EQ(refusal(header(1) + text("") + number(0, 4) + "x"),
            "GGUF: the number of key-value pairs is 1, more than the file can hold, at byte 24");
  EXPECT_EQ(refusal(header(1) + text("") + number(0, 4) + "xx"), "GGUF: empty key, at byte 32");
  EXPECT_EQ(refusal(header(1) + text("k") + number(13, 4) + "xxxx"), "GGUF: key 'k': unknown type 13, at byte 37");
  EXPECT_EQ(refusal(header(1) + text("k") + number(9, 4) + number(9, 4) + number(0, 8)),
            "GGUF: key 'k': arrays of arrays are not supported, at byte 49");
  EXPECT_EQ(refusal(header(2) + text("k") + number(0, 4) + "x" + text("k") + number(0, 4) + "x"),
            "GGUF: key 'k': the key is there twice, at byte 47");
}

TEST(Gguf, HugeCountsCostNothing) {
  const uint64_t huge[] = {100, uint64_t{1} << 31, uint64_t{1} << 61, std::numeric_limits<uint64_t>::max() / 8 + 2,
                           std::numeric_limits<uint64_t>::max()};
  for (const uint64_t count : huge) {
    SCOPED_TRACE(count);
    EXPECT_NE(refusal(header(count) + text("k") + number(0, 4) + "x"), "");
    EXPECT_NE(refusal(header(1) + number(count, 8) + "keykeykey" + number(0, 4) + "x"), "");
    EXPECT_NE(refusal(header(1) + text("k") + number(8, 4) + number(count, 8) + "abc"), "");
    for (uint32_t type = 0; type <= 12; ++type) {
      if (type == 9) continue;
      EXPECT_NE(refusal(header(1) + text("k") + number(9, 4) + number(type, 4) + number(count, 8) + "abcdefgh"), "") << type;
    }
  }
  EXPECT_EQ(refusal(header(1) + text("k") + number(9, 4) + number(4, 4) + number(uint64_t{1} << 62, 8) + "abcd"),
            "GGUF: key 'k': an array of 4611686018427387904 elements is longer than the file, at byte 49");
  EXPECT_EQ(refusal(header(1) + text("k\n") + number(8, 4) + number(5, 8) + "abcd"),
            "GGUF: key 'k?': a string needs 5 bytes and the file has 4 left, at byte 46");
}

TEST(Gguf, CutAtEveryByte) {
  const std::string whole = bytes_of("gguf/all-types.gguf");
  const std::string last = text("strs").append(number(9, 4));  // the last pair
  const size_t end = whole.find(last);
  ASSERT_NE(end, std::string::npos);
  size_t cuts = 0;
  for (size_t length = 0; length <= end + last.size() + 12; ++length, ++cuts)
    EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
  EXPECT_GT(cuts, 500u);
  EXPECT_EQ(refusal(whole), "");
}

TEST(Gguf, FlippedBitsAreReadOrRefused) {
  const std::string whole = bytes_of("gguf/all-types.gguf");
  size_t refused = 0;
  for (size_t i = 0; i < whole.size() * 8; ++i) {
    std::string damaged = whole;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << i % 8));
    refused += refusal(damaged).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 1000u);
}

TEST(Gguf, FilesOnDisk) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      File::from_path(path);
    } catch (const Failure& failure) {
      return (failure.status() == Status::io ? "io: " : "other: ") + failure.text();
    }
    return "read";
  };
  EXPECT_EQ(message("/nonexistent/model.gguf"), "io: cannot read /nonexistent/model.gguf: No such file or directory");
  EXPECT_EQ(message(folder), "io: cannot read " + folder + ": it is a directory");
  EXPECT_EQ(message(folder + "README.md"), "other: GGUF: this is no GGUF file (the magic is missing), at byte 0");
  EXPECT_EQ(message(""), "io: cannot read : No such file or directory");
}

// Metadata of several chunks in front of "weights": the file is read in pieces, and only its metadata is kept.
TEST(Gguf, ReadsLargeMetadataInPieces) {
  std::string bytes = "GGUF" + number(3, 4) + number(7, 8) + number(3, 8);
  const size_t count = 300000;
  bytes += text("words") + number(9, 4) + number(8, 4) + number(count, 8);
  for (size_t i = 0; i < count; ++i) bytes += text(std::to_string(i));
  bytes += text("blob") + number(8, 4) + text(std::string(3000000, 'x'));
  bytes += text("end") + number(4, 4) + number(42, 4);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("bankml-gguf-" + std::to_string(std::random_device{}()) + ".gguf")).string();
  {
    std::ofstream stream(path, std::ios::binary);
    stream << bytes << std::string(5000000, 'w');
  }
  const File file = File::from_path(path);
  std::filesystem::remove(path);
  EXPECT_EQ(file.tensor_count(), 7u);
  ASSERT_NE(file.find("end"), nullptr);
  EXPECT_EQ(file.find("end")->unsigned_integer(), 42u);
  EXPECT_EQ(file.find("words")->size(), count);
  for (size_t i = 0; i < count; i += 997) ASSERT_EQ(file.find("words")->string(i), std::to_string(i));
  EXPECT_EQ(file.find("blob")->string().size(), 3000000u);
}

}  // namespace
}  // namespace bankml::gguf
