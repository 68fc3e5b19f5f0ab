// SPDX-License-Identifier: Apache-2.0
// The functions that compiled code needs from a C++ runtime to throw and catch on WebAssembly.
// Debian's libc++abi for wasm32 is built without them. Written according to the Itanium C++ ABI
// (exception handling, level II; run-time type information, 2.9.5) and the layout of the tables
// that clang writes for -fwasm-exceptions: the engine unwinds, and only the choice of a handler is
// made here. One thread; no exception specifications; bases of thrown types are not virtual.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

// Declared with the layout of the ABI; libc++abi defines them.
namespace __cxxabiv1 {
class __class_type_info : public std::type_info {
 public:
  ~__class_type_info() override;
};
class __si_class_type_info : public __class_type_info {
 public:
  ~__si_class_type_info() override;
  const __class_type_info* base;
};
struct __base_class_type_info {
  const __class_type_info* base;
  long offset_flags;  ///< offset << 8, public 2, virtual 1
};
class __vmi_class_type_info : public __class_type_info {
 public:
  ~__vmi_class_type_info() override;
  unsigned flags;
  unsigned base_count;
  __base_class_type_info base_info[1];
};
}  // namespace __cxxabiv1

namespace {

struct alignas(16) Thrown {
  std::type_info* type;
  void* (*destroy)(void*);  ///< a destructor, which on WebAssembly returns its object
  void* caught_as;          ///< the object as passed to the handler
  int handlers;             ///< now at work on it
  bool thrown_again;
  Thrown* outer;  ///< caught before, its handler still at work

  void* object() { return this + 1; }
  static Thrown* of(void* object) { return static_cast<Thrown*>(object) - 1; }
};

Thrown* innermost = nullptr;

// The part of an object of type `from` that is a `to`; null where it is none.
char* as(const std::type_info* to, const std::type_info* from, char* object) {
  using namespace __cxxabiv1;
  if (*to == *from) return object;
  if (typeid(*from) == typeid(__si_class_type_info))
    return as(to, static_cast<const __si_class_type_info*>(from)->base, object);
  if (typeid(*from) != typeid(__vmi_class_type_info)) return nullptr;
  const auto* derived = static_cast<const __vmi_class_type_info*>(from);
  const __base_class_type_info* bases = derived->base_info;
  for (unsigned i = 0; i < derived->base_count; ++i) {
    if ((bases[i].offset_flags & 1) != 0) continue;
    if (char* part = as(to, bases[i].base, object + (bases[i].offset_flags >> 8))) return part;
  }
  return nullptr;
}

std::uint32_t read_unsigned(const unsigned char*& at) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char byte = *at++;
    value |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return value;
  }
}
std::int32_t read_signed(const unsigned char*& at) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;;) {
    const unsigned char byte = *at++;
    value |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
    shift += 7;
    if ((byte & 0x80U) != 0) continue;
    if (shift < 32 && (byte & 0x40U) != 0) value |= ~std::uint32_t{0} << shift;
    return static_cast<std::int32_t>(value);
  }
}

constexpr unsigned char omitted = 0xFF;

// The number of the first handler at this landing pad that takes the object; 0: none does.
std::uint32_t handler_for(Thrown& thrown, std::uint32_t pad, const unsigned char* table) {
  if (table == nullptr) return 0;
  if (*table++ != omitted) std::abort();  // a base of landing pads: clang writes none
  const std::type_info* const* types = nullptr;
  if (*table++ != omitted) {
    const std::uint32_t offset = read_unsigned(table);
    types = reinterpret_cast<const std::type_info* const*>(table + offset);
  }
  ++table;  // how call sites are written: always so
  const std::uint32_t length = read_unsigned(table);
  const unsigned char* const actions = table + length;
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i <= pad; ++i) {
    read_unsigned(table);  // the landing pad's number
    first = read_unsigned(table);
  }
  if (first == 0) return 0;
  const unsigned char* action = actions + first - 1;
  for (;;) {
    const std::int32_t number = read_signed(action);
    const unsigned char* const here = action;
    const std::int32_t next = read_signed(action);
    if (number > 0) {
      const std::type_info* type = *(types - number);
      char* object = static_cast<char*>(thrown.object());
      char* part = type == nullptr ? object : as(type, thrown.type, object);
      if (part != nullptr) {
        thrown.caught_as = part;
        return static_cast<std::uint32_t>(number);
      }
    }
    if (next == 0) return 0;
    action = here + next;
  }
}

void release(Thrown* thrown) {
  if (thrown->destroy != nullptr) thrown->destroy(thrown->object());
  std::free(thrown);
}

}  // namespace

extern "C" {

// The query of the compiler: the landing pad, its tables, and space for the answer.
struct {
  std::uint32_t pad;
  const unsigned char* table;
  std::uint32_t selector;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* exception) {
  __wasm_lpad_context.selector =
      handler_for(*static_cast<Thrown*>(exception), __wasm_lpad_context.pad, __wasm_lpad_context.table);
  return 0;
}

void* __cxa_allocate_exception(std::size_t bytes) noexcept {
  void* memory = std::malloc(sizeof(Thrown) + bytes);
  if (memory == nullptr) std::abort();
  return (new (memory) Thrown{})->object();
}
void __cxa_free_exception(void* object) noexcept { std::free(Thrown::of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Thrown* thrown = Thrown::of(object);
  thrown->type = type;
  thrown->destroy = destroy;
  thrown->caught_as = object;
  __builtin_wasm_throw(0, thrown);
}

[[noreturn]] void __cxa_rethrow() {
  if (innermost == nullptr) std::abort();
  innermost->thrown_again = true;
  __builtin_wasm_throw(0, innermost);
}

void* __cxa_get_exception_ptr(void* exception) noexcept { return static_cast<Thrown*>(exception)->caught_as; }

void* __cxa_begin_catch(void* exception) noexcept {
  auto* thrown = static_cast<Thrown*>(exception);
  thrown->thrown_again = false;
  if (thrown->handlers++ == 0) {
    thrown->outer = innermost;
    innermost = thrown;
  }
  return thrown->caught_as;
}

void __cxa_end_catch() {
  Thrown* thrown = innermost;
  if (--thrown->handlers > 0) return;
  innermost = thrown->outer;
  if (!thrown->thrown_again) release(thrown);
}

}  // extern "C"
