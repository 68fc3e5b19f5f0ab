// SPDX-License-Identifier: Apache-2.0
// Opcodes on the uniform datapath: one operation for the whole warp, on uniform registers. Those of
// the asynchronous units, bulk copies (UBLKCP, UTMA...) and the tensor units with a memory of their
// own (UTC...), are issued there too.
#pragma once
#include <array>

#include "formats/import/sass.hpp"

namespace strata::formats {

// Ascending by name.
// clang-format off
inline constexpr std::array uniform_opcodes{std::to_array<SassOpcode>({
    {.name = "UBLKCP", .op_class = trace::OpClass::access, .space = SassSpace::bulk},
    {.name = "UBLKPF", .op_class = trace::OpClass::control},
    {.name = "UBLKRED", .op_class = trace::OpClass::access, .space = SassSpace::bulk, .operation = memory::Operation::atomic},
    {.name = "UBMSK", .op_class = trace::OpClass::uniform},
    {.name = "UBREV", .op_class = trace::OpClass::uniform},
    {.name = "UCGABAR_ARV", .op_class = trace::OpClass::uniform},
    {.name = "UCGABAR_GET", .op_class = trace::OpClass::uniform},
    {.name = "UCGABAR_SET", .op_class = trace::OpClass::uniform},
    {.name = "UCGABAR_WAIT", .op_class = trace::OpClass::uniform},
    {.name = "UCLEA", .op_class = trace::OpClass::uniform},
    {.name = "UF2F", .op_class = trace::OpClass::uniform},
    {.name = "UF2FP", .op_class = trace::OpClass::uniform},
    {.name = "UF2I", .op_class = trace::OpClass::uniform},
    {.name = "UFADD", .op_class = trace::OpClass::uniform},
    {.name = "UFFMA", .op_class = trace::OpClass::uniform},
    {.name = "UFLO", .op_class = trace::OpClass::uniform},
    {.name = "UFMNMX", .op_class = trace::OpClass::uniform},
    {.name = "UFMUL", .op_class = trace::OpClass::uniform},
    {.name = "UFRND", .op_class = trace::OpClass::uniform},
    {.name = "UFSEL", .op_class = trace::OpClass::uniform},
    {.name = "UFSET", .op_class = trace::OpClass::uniform},
    {.name = "UFSETP", .op_class = trace::OpClass::uniform},
    {.name = "UGETNEXTWORKID", .op_class = trace::OpClass::uniform},
    {.name = "UI2F", .op_class = trace::OpClass::uniform},
    {.name = "UI2FP", .op_class = trace::OpClass::uniform},
    {.name = "UI2I", .op_class = trace::OpClass::uniform},
    {.name = "UI2IP", .op_class = trace::OpClass::uniform},
    {.name = "UIABS", .op_class = trace::OpClass::uniform},
    {.name = "UIADD", .op_class = trace::OpClass::uniform},
    {.name = "UIADD3", .op_class = trace::OpClass::uniform},
    {.name = "UIADD64", .op_class = trace::OpClass::uniform},
    {.name = "UIMAD", .op_class = trace::OpClass::uniform},
    {.name = "UIMNMX", .op_class = trace::OpClass::uniform},
    {.name = "UISETP", .op_class = trace::OpClass::uniform},
    {.name = "ULDC", .op_class = trace::OpClass::constant},
    {.name = "ULEA", .op_class = trace::OpClass::uniform},
    {.name = "ULOP", .op_class = trace::OpClass::uniform},
    {.name = "ULOP3", .op_class = trace::OpClass::uniform},
    {.name = "ULOP32I", .op_class = trace::OpClass::uniform},
    {.name = "UMEMSETS", .op_class = trace::OpClass::uniform},
    {.name = "UMOV", .op_class = trace::OpClass::uniform},
    {.name = "UP2UR", .op_class = trace::OpClass::uniform},
    {.name = "UPLOP", .op_class = trace::OpClass::uniform},
    {.name = "UPLOP3", .op_class = trace::OpClass::uniform},
    {.name = "UPOPC", .op_class = trace::OpClass::uniform},
    {.name = "UPRMT", .op_class = trace::OpClass::uniform},
    {.name = "UPSETP", .op_class = trace::OpClass::uniform},
    {.name = "UR2UP", .op_class = trace::OpClass::uniform},
    {.name = "UR2UR", .op_class = trace::OpClass::uniform},
    {.name = "UREDGR", .op_class = trace::OpClass::uniform},
    {.name = "USEL", .op_class = trace::OpClass::uniform},
    {.name = "USETMAXREG", .op_class = trace::OpClass::uniform},
    {.name = "USETSHMSZ", .op_class = trace::OpClass::uniform},
    {.name = "USGXT", .op_class = trace::OpClass::uniform},
    {.name = "USHF", .op_class = trace::OpClass::uniform},
    {.name = "USHL", .op_class = trace::OpClass::uniform},
    {.name = "USHR", .op_class = trace::OpClass::uniform},
    {.name = "UTCATOMSWS", .op_class = trace::OpClass::control},
    {.name = "UTCBAR", .op_class = trace::OpClass::control},
    {.name = "UTCCP", .op_class = trace::OpClass::shuffle},
    {.name = "UTCHMMA", .op_class = trace::OpClass::tensor16, .destination = 64},
    {.name = "UTCIMMA", .op_class = trace::OpClass::tensor8, .destination = 64},
    {.name = "UTCMXQMMA", .op_class = trace::OpClass::tensor8, .destination = 64},
    {.name = "UTCOMMA", .op_class = trace::OpClass::tensor8, .destination = 64},
    {.name = "UTCQMMA", .op_class = trace::OpClass::tensor8, .destination = 64},
    {.name = "UTCSHIFT", .op_class = trace::OpClass::control},
    {.name = "UTMACCTL", .op_class = trace::OpClass::control},
    {.name = "UTMACMDFLUSH", .op_class = trace::OpClass::control},
    {.name = "UTMALDG", .op_class = trace::OpClass::access, .space = SassSpace::bulk},
    {.name = "UTMAPF", .op_class = trace::OpClass::control},
    {.name = "UTMAREDG", .op_class = trace::OpClass::access, .space = SassSpace::bulk, .operation = memory::Operation::atomic},
    {.name = "UTMASTG", .op_class = trace::OpClass::access, .space = SassSpace::bulk, .operation = memory::Operation::store},
    {.name = "UVIADD", .op_class = trace::OpClass::uniform},
    {.name = "UVIMNMX", .op_class = trace::OpClass::uniform},
    {.name = "UVIRTCOUNT", .op_class = trace::OpClass::uniform},
})};
// clang-format on

}  // namespace strata::formats
