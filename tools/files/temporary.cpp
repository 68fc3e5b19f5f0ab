// SPDX-License-Identifier: Apache-2.0
#include "files/temporary.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>

namespace strata::tools {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

namespace {

constexpr std::string_view temporary_ending = ".part";

// Data that a signal handler can read: fixed text, and a mark that it is complete.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> set{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 16> slots;

int enter(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].set = true;
    return static_cast<int>(i);
  }
  return -1;
}

// The process of "<output>.<number>.part"; 0: of none.
pid_t owner(std::string_view name, std::string_view output) {
  if (name.size() <= output.size() + 1 + temporary_ending.size() || !name.starts_with(output) ||
      name[output.size()] != '.' || !name.ends_with(temporary_ending))
    return 0;
  name.remove_prefix(output.size() + 1);
  name.remove_suffix(temporary_ending.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  return error == std::errc{} && end == name.data() + name.size() && process > 0 ? process : 0;
}

void remove_stale(const fs::path& target) {
  std::error_code error;
  const std::string output = target.filename().string();
  for (fs::directory_iterator entry(folder_of(target), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const pid_t process = owner(entry->path().filename().string(), output);
    if (process == 0 || process == ::getpid()) continue;
    if (::kill(process, 0) == 0 || errno != ESRCH) continue;
    std::error_code ignored;
    fs::remove(entry->path(), ignored);
  }
}

}  // namespace

Temporary::Temporary(fs::path target)
    : target_(std::move(target)), path_(fmt::format("{}.{}{}", target_.string(), ::getpid(), temporary_ending)) {
  remove_stale(target_);
  // A signal handler must find it from any current folder; the path does not change.
  slot_ = enter(path_.string());
}

Temporary::~Temporary() {
  std::error_code ignored;
  fs::remove(path_, ignored);
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.set = false;
  slot.taken = false;
}

std::error_code Temporary::keep() {
  std::error_code error;
  fs::rename(path_, target_, error);
  return error;
}

void remove_temporaries() noexcept {
  for (const Slot& slot : slots)
    if (slot.set.load()) ::unlink(slot.path.data());
}

}  // namespace strata::tools
