// SPDX-License-Identifier: Apache-2.0
#include "files/trace_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "files/identity.hpp"

namespace strata::tools {

namespace fs = std::filesystem;
namespace io = boost::iostreams;

namespace {

[[noreturn]] void refuse(const std::string& path, std::string message) {
  throw InputError(Diagnostic{path.empty() ? "''" : path, 0, 0, std::move(message), {}});
}

void open(std::ifstream& in, const fs::path& path) {
  if (path.empty()) refuse("", "an empty name; name a file to read");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse(path.string(), "no such file");
  if (fs::is_directory(status)) refuse(path.string(), "is a directory, not a file");
  in.open(path, std::ios::binary);
  if (!in) refuse(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  declare_input(path);
}

class FileBytes final : public formats::ByteSource {
 public:
  explicit FileBytes(const fs::path& path) : name_(path.string()) {
    open(in_, path);
    in_.seekg(0, std::ios::end);
    const auto end = in_.tellg();
    if (!in_ || end < 0) refuse(name_, "is not a file with random access");
    size_ = static_cast<std::uint64_t>(end);
  }
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t offset, std::span<unsigned char> into) override {
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
    if (in_.gcount() != static_cast<std::streamsize>(into.size()))
      refuse(name_, fmt::format("byte {}: cannot be read to its end; did it change?", offset));
  }

 private:
  std::string name_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

class FileText final : public formats::TextSource {
 public:
  explicit FileText(const fs::path& path) : name_(path == "-" ? "standard input" : path.string()) {
    std::istream* raw = &std::cin;
    if (path != "-") {
      open(file_, path);
      raw = &file_;
      std::array<char, 6> head{};
      file_.read(head.data(), head.size());
      const std::string_view magic(head.data(), static_cast<std::size_t>(file_.gcount()));
      file_.clear();
      file_.seekg(0);
      if (magic.starts_with("\x1f\x8b")) in_.push(io::gzip_decompressor());
      if (magic.starts_with(std::string_view("\xfd"
                                             "7zXZ\0",
                                             6)))
        in_.push(io::lzma_decompressor());
      if (magic.starts_with("\x28\xb5\x2f\xfd")) in_.push(io::zstd_decompressor());
      packed_ = !in_.empty();
    }
    in_.push(*raw);
    in_.exceptions(std::ios::badbit);
  }
  const std::string& name() const override { return name_; }
  std::size_t read(std::span<char> into) override {
    try {
      in_.read(into.data(), static_cast<std::streamsize>(into.size()));
    } catch (const std::ios_base::failure& error) {
      refuse(name_, fmt::format("{} after {} bytes of text",
                                packed_ ? "does not unpack: it is damaged or truncated" : "cannot be read", done_));
    }
    done_ += static_cast<std::uint64_t>(in_.gcount());
    return static_cast<std::size_t>(in_.gcount());
  }

 private:
  std::string name_;
  std::ifstream file_;
  io::filtering_istream in_;
  bool packed_ = false;
  std::uint64_t done_ = 0;
};

class Spill final : public formats::SpillFile {
 public:
  ~Spill() override {
    if (file_ != nullptr) std::fclose(file_);
  }
  void write(std::span<const unsigned char> bytes) override {
    if (file_ == nullptr) file_ = std::tmpfile();
    if (file_ == nullptr || std::fseek(file_, 0, SEEK_END) != 0 ||
        std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
      refuse("the folder for temporaries", fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  void read(std::uint64_t offset, std::span<unsigned char> into) override {
    if (std::fseek(file_, static_cast<long>(offset), SEEK_SET) != 0 ||
        std::fread(into.data(), 1, into.size(), file_) != into.size())
      refuse("the folder for temporaries", "the data written there cannot be read");
  }

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace

std::shared_ptr<formats::ByteSource> open_bytes(const fs::path& path) { return std::make_shared<FileBytes>(path); }
std::unique_ptr<formats::TextSource> open_text(const fs::path& path) { return std::make_unique<FileText>(path); }
std::unique_ptr<formats::SpillFile> spill_file() { return std::make_unique<Spill>(); }

std::string beginning_of(const fs::path& path, std::size_t bytes) {
  std::string text(bytes, '\0');
  FileText source(path);
  std::size_t length = 0;
  while (length < bytes) {
    const std::size_t more = source.read(std::span(text).subspan(length));
    if (more == 0) break;
    length += more;
  }
  text.resize(length);
  return text;
}

NewFile::NewFile(const std::string& path) : path_(path) {
  check_writable(path);
  if (path == "-") return;
  std::error_code error;
  target_ = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
  const fs::file_status status = fs::status(target_, error);
  if (!fs::exists(status) || fs::is_regular_file(status)) temporary_.emplace(target_);
  out_.open(temporary_ ? temporary_->path() : target_, std::ios::binary | std::ios::trunc);
  if (!out_) refuse();
}

void NewFile::refuse() const { tools::refuse(path_, fmt::format("cannot be written: {}", std::strerror(errno))); }

void NewFile::write(std::span<const unsigned char> bytes) {
  std::ostream& out = path_ == "-" ? std::cout : out_;
  if (!out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) refuse();
  bytes_ += bytes.size();
}

void NewFile::keep() {
  if (path_ == "-") {
    if (!std::cout.flush()) refuse();
  } else {
    out_.close();
    if (!out_) refuse();
    if (!temporary_) return;
    if (const std::error_code error = temporary_->keep())
      tools::refuse(path_, fmt::format("cannot be written: {}", error.message()));
  }
}

}  // namespace strata::tools
