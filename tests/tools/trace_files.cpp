// SPDX-License-Identifier: Apache-2.0
#include "files/trace_files.hpp"

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "files/workload.hpp"
#include "program.hpp"

using namespace strata;
using strata::test::Scratch;

namespace {
namespace io = boost::iostreams;

template <class Filter>
std::string packed(const std::string& text) {
  std::string out;
  {
    io::filtering_ostream stream;
    stream.push(Filter());
    stream.push(io::back_inserter(out));
    stream << text;
  }
  return out;
}
std::string all_of(const std::filesystem::path& path) {
  const auto source = tools::open_text(path);
  std::string text;
  std::array<char, 100> piece;
  for (std::size_t n; (n = source->read(piece)) > 0;) text.append(piece.data(), n);
  return text;
}
std::string long_text() {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * i) + "\n";
  return text;
}
}  // namespace

TEST_CASE("packed_text_is_recognized_by_its_first_bytes_and_unpacked") {
  const Scratch scratch;
  const std::string text = long_text();
  scratch.write("plain", text);
  scratch.write("a", packed<io::gzip_compressor>(text));
  scratch.write("b", packed<io::lzma_compressor>(text));
  scratch.write("c", packed<io::zstd_compressor>(text));
  for (const char* name : {"plain", "a", "b", "c"}) CHECK(all_of(scratch.path(name)) == text);
}

TEST_CASE("packed_text_that_is_truncated_or_damaged_is_an_error") {
  const Scratch scratch;
  const std::string text = long_text();
  for (std::string bytes : {packed<io::gzip_compressor>(text), packed<io::lzma_compressor>(text)}) {
    scratch.write("cut", bytes.substr(0, bytes.size() / 2));
    CHECK_THROWS_AS(all_of(scratch.path("cut")), InputError);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    scratch.write("damaged", bytes);
    CHECK_THROWS_AS(all_of(scratch.path("damaged")), InputError);
  }
}

TEST_CASE("a_new_file_appears_when_it_is_kept_and_not_before") {
  const Scratch scratch;
  scratch.write("t", "before");
  const std::string path = scratch.path("t").string();
  const std::array<unsigned char, 3> bytes{'n', 'e', 'w'};
  {
    tools::NewFile file(path);
    file.write(bytes);
  }
  CHECK(scratch.read("t") == "before");
  CHECK(scratch.names() == std::vector<std::string>{"t"});
  {
    tools::NewFile file(path);
    file.write(bytes);
    CHECK(scratch.read("t") == "before");
    file.keep();
  }
  CHECK(scratch.read("t") == "new");
  CHECK(scratch.names() == std::vector<std::string>{"t"});
}

TEST_CASE("a_workload_of_another_tool_opens_like_a_native_trace") {
  formats::ImportReport report;
  const auto list = tools::open_workload(STRATA_SOURCE_DIR "/traces/accel-sim", report);
  REQUIRE(list.size() == 1);
  CHECK(list[0]->info().name == "two_blocks");
  trace::Instruction i;
  const auto block = list[0]->open(1);
  REQUIRE(block->warp(0).next(i));
  REQUIRE(block->warp(0).next(i));
  CHECK(i.operation == memory::Operation::atomic);
  CHECK(report.instructions == 8);
}

TEST_CASE("forms_of_traces_are_distinguished") {
  const Scratch scratch;
  scratch.write("kernelslist.g", "kernel-1.traceg\n");
  scratch.write("k", "-kernel name = a\n-kernel id = 1\n");
  scratch.write("t", "strata-trace 1\nend\n");
  scratch.write("c.csv", "1,2,load,0x0,4\n");
  scratch.write("n", "-----\nMEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2\n");
  scratch.write("x", "something else\n");
  using enum tools::TraceForm;
  CHECK(tools::form_of(scratch.path("kernelslist.g")) == accel_sim_list);
  CHECK(tools::form_of(scratch.path(".")) == accel_sim_list);
  CHECK(tools::form_of(scratch.path("k")) == accel_sim_kernel);
  CHECK(tools::form_of(scratch.path("t")) == text);
  CHECK(tools::form_of(scratch.path("c.csv")) == csv);
  CHECK(tools::form_of(scratch.path("n")) == nvbit);
  CHECK_THROWS_AS(tools::form_of(scratch.path("x")), InputError);
}
