// SPDX-License-Identifier: Apache-2.0
#include "kept_answers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <boost/json.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <commit.hpp>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "files/trace_files.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

namespace fs = std::filesystem;
namespace bj = boost::json;

constexpr std::uintmax_t most_of_a_file = std::uintmax_t{1} << 30U;

[[noreturn]] void refuse_file(const fs::path& path, std::string message, std::string hint = {}) {
  throw InputError(Diagnostic{path.string(), 0, 0, std::move(message), std::move(hint)});
}

std::string digest(std::string_view text) {
  const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
  return boost::uuids::to_string(generator(text.data(), text.size()));
}

// Of a file of any size, a piece at a time.
std::string digest_of_file(const std::string& file) {
  constexpr std::size_t piece = std::size_t{16} << 20U;
  const auto source = tools::open_bytes(file);
  std::string sum;
  std::string text;
  for (std::uint64_t at = 0; at < source->size(); at += piece) {
    text.resize(std::min<std::uint64_t>(piece, source->size() - at));
    source->read(at, std::span(reinterpret_cast<unsigned char*>(text.data()), text.size()));
    sum = digest(sum + text);
  }
  return sum;
}

// A length before each text, so that no two lists give the same words.
void append(std::string& out, std::string_view text) { out += fmt::format("{} {}\n", text.size(), text); }

void append(std::string& out, const NamesAndTexts& all) {
  for (const auto& [name, text] : all) {
    append(out, name);
    append(out, text);
  }
  append(out, "");
}

void append(std::string& out, const config::Effective& node) {
  append(out, node.key);
  append(out, node.absent ? "none" : node.bound);
  out += fmt::format("{}\n", node.children.size());
  for (const config::Effective& child : node.children) append(out, child);
}

// Commits identify programs; the program itself where there is none, or more than it was built.
std::string program() {
  const std::string commit = STRATA_COMMIT;
  if (!commit.empty() && commit.find(' ') == std::string::npos) return commit;
  return digest_of_file("/proc/self/exe");
}

// Texts, since not every reader of JSON returns the same bits of a number.
std::string text_of(double number) { return fmt::format("{}", number); }

double number_of(const bj::value& value) {
  const bj::string& text = value.as_string();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument("not a number");
  return number;
}

std::uint64_t fingerprint_of(const bj::value& value) {
  const bj::string& text = value.as_string();
  std::uint64_t number = 0;
  if (!std::string_view(text).starts_with("0x")) throw std::invalid_argument("not a fingerprint");
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
  if (error != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument("not a fingerprint");
  return number;
}

std::string line(const std::string& name, const NamesAndTexts& values, const SweepAnswer& answer) {
  bj::object record;
  record["point"] = name;
  bj::object& at = record["values"].emplace_object();
  for (const auto& [path, text] : values) at[path] = text;
  bj::array& figures = record["figures"].emplace_array();
  for (const double figure : answer.figures) figures.emplace_back(text_of(figure));
  bj::array& words = record["words"].emplace_array();
  for (const std::string& word : answer.words) words.emplace_back(word);
  bj::array& shares = record["shares"].emplace_array();
  for (const auto& [of, share] : answer.shares) shares.push_back(bj::array{of, text_of(share)});
  record["fingerprint"] = fmt::format("0x{:016x}", answer.fingerprint);
  return bj::serialize(record) + '\n';
}

}  // namespace

PointNames::PointNames(const SweepQuestionKind& kind) {
  std::string text;
  append(text, version);
  append(text, program());
  append(text, kind.name);
  for (const report::SweepFigure& figure : kind.figures) append(text, figure.field);
  common_ = digest(text);
}

std::string PointNames::configuration(const config::Effective& configuration) const {
  std::string text = common_;
  append(text, configuration);
  return digest(text);
}

std::string PointNames::name(const std::string& configuration, const NamesAndTexts& settings,
                             const NamesAndTexts& options, const std::vector<std::string>& files) {
  std::string text = configuration;
  append(text, settings);
  append(text, options);
  for (const std::string& file : files) {
    const auto [known, is_new] = contents_.try_emplace(file);
    if (is_new) known->second = digest_of_file(file);
    append(text, known->second);
  }
  return digest(text);
}

KeptAnswers::KeptAnswers(fs::path directory, std::size_t figures, std::size_t words)
    : directory_(std::move(directory)), figures_(figures), words_(words) {
  std::error_code error;
  fs::path there = fs::absolute(directory_);
  while (there.has_relative_path() && !fs::exists(there, error)) there = there.parent_path();
  if (!fs::is_directory(there, error)) refuse_file(there, "is not a directory", "give --out another name");
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    refuse_file(there, fmt::format("cannot be written into: {}", std::strerror(errno)));
  if (!fs::exists(directory_, error)) return;
  std::vector<fs::path> files;
  fs::directory_iterator entries(directory_, error);
  if (error) refuse_file(directory_, fmt::format("cannot be read: {}", error.message()));
  for (const fs::directory_entry& entry : entries)
    if (entry.is_regular_file(error) && entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) read(file);
}

KeptAnswers::~KeptAnswers() {
  if (file_ >= 0) ::close(file_);
}

void KeptAnswers::read(const fs::path& file) {
  const std::string text = tools::read_file(file, most_of_a_file);
  std::size_t number = 0;
  // The text after the last end of a line is truncated, or is being written.
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++number;
    try {
      const bj::value record = bj::parse(std::string_view(text).substr(begin, end - begin));
      SweepAnswer answer;
      for (const bj::value& figure : record.at("figures").as_array()) answer.figures.push_back(number_of(figure));
      for (const bj::value& word : record.at("words").as_array()) answer.words.emplace_back(word.as_string());
      for (const bj::value& share : record.at("shares").as_array())
        answer.shares.emplace_back(share.at(0).as_string(), number_of(share.at(1)));
      answer.fingerprint = fingerprint_of(record.at("fingerprint"));
      const std::string name(record.at("point").as_string());
      // Answers to other questions have as many figures as those have.
      answers_.try_emplace(name, std::move(answer));
    } catch (const std::exception&) {
      damaged_.push_back(fmt::format("{}:{}", file.string(), number));
    }
  }
}

const SweepAnswer* KeptAnswers::find(const std::string& name) const {
  const auto found = answers_.find(name);
  if (found == answers_.end() || found->second.figures.size() != figures_ || found->second.words.size() != words_)
    return nullptr;
  return &found->second;
}

// A file of this process alone: hosts that share the directory may have processes of one number.
void KeptAnswers::open() {
  std::error_code ignored;  // then the file cannot be made
  fs::create_directories(directory_, ignored);
  for (int attempt = 0; file_ < 0; ++attempt) {
    const fs::path path = directory_ / fmt::format("points-{}-{}.jsonl", ::getpid(), attempt);
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST) refuse_file(path, fmt::format("cannot be made: {}", std::strerror(errno)));
  }
}

void KeptAnswers::keep(const std::string& name, const NamesAndTexts& values, const SweepAnswer& answer) {
  const std::string text = line(name, values, answer);
  const std::lock_guard lock(mutex_);
  if (failed_) return;
  open();
  errno = 0;
  if (::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
  failed_ = true;
  refuse_file(directory_, fmt::format("a result could not be written: {}", std::strerror(errno != 0 ? errno : ENOSPC)),
              "the previous ones are stored; the same command resumes from there");
}

}  // namespace strata::cli
