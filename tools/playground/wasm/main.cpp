// SPDX-License-Identifier: Apache-2.0
// The interface of the module: a request as lines of text, and an answer as JSON.
#include <string>
#include <string_view>

#include "answers.hpp"

namespace {

std::string request;
std::string answer;

}  // namespace

extern "C" {

/// Space for a request of this number of bytes.
__attribute__((export_name("request"))) char* request_of(std::size_t bytes) {
  request.assign(bytes, '\0');
  return request.data();
}
/// Answers it; returns the number of bytes.
__attribute__((export_name("answer"))) std::size_t answer_it() {
  answer = strata::playground::answer(request);
  return answer.size();
}
__attribute__((export_name("answer_text"))) const char* answer_text() { return answer.data(); }

}  // extern "C"
