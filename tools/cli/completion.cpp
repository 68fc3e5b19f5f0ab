// SPDX-License-Identifier: Apache-2.0
// The kind of a value follows from its placeholder: it lists choices (cold|warm), FILE and DIR
// are paths, G is a GPU, PATH the path of a setting. GPUs, kernels and expectations are listed by the
// program when a value is completed, since a user may add to them; settings and their values
// are in the script.
#include "completion.hpp"

#include <fmt/format.h>

#include <set>

#include "completed_settings.hpp"
#include "machine/policies.hpp"
#include "option_rows.hpp"
#include "options.hpp"
#include "study/litmus/litmus.hpp"

namespace strata::cli {

namespace {

enum class Values { none, words, files, folders, gpus, kernels, expectations, settings, assignments };

struct Completed {
  Values kind = Values::none;
  std::string words;  // separated by spaces
};

std::string placements() {
  std::string all;
  for (const machine::PolicyRow& row : machine::policies())
    if (row.table == "block placement") all += (all.empty() ? "" : " ") + std::string(row.name);
  return all;
}

template <class Rows>
std::string names_of(const Rows& rows) {
  std::string all;
  for (const auto& row : rows) all += (all.empty() ? "" : " ") + std::string(row.name);
  return all;
}

Completed completed(const OptionRow& row) {
  if (const auto choices = row.choices(); !choices.empty())
    return {Values::words, fmt::format("{}", fmt::join(choices, " "))};
  if (row.name == "placement") return {Values::words, placements()};
  if (row.name == "test") return {Values::words, names_of(study::litmus_tests())};
  // `strata check` takes names of GPUs as well.
  if (row.name == "file" && row.positional) return {Values::gpus, {}};
  if (row.value.starts_with("FILE")) return {Values::files, {}};
  if (row.value == "DIR") return {Values::folders, {}};
  if (row.value == "G") return {Values::gpus, {}};
  if (row.value.starts_with("NAME[")) return {Values::kernels, {}};
  if (row.value.starts_with("PATH=")) return {Values::assignments, {}};
  if (row.value.starts_with("PATH")) return {Values::settings, {}};
  if (row.value == "PREFIX") return {Values::expectations, {}};
  if (row.value == "VERB") return {Values::words, names_of(verbs())};
  return {};
}

// Each option once, whatever the question.
std::vector<OptionRow> all_rows(const Verb& verb) {
  std::vector<OptionRow> rows;
  std::set<std::string> seen;
  for (const OptionGroup& group : option_groups(verb))
    for (const OptionRow& row : group.rows)
      if (seen.insert(row.name).second) rows.push_back(row);
  return rows;
}

std::string bash_action(const Completed& values) {
  switch (values.kind) {
    case Values::none:
      return "COMPREPLY=()";
    case Values::words:
      return fmt::format("_strata_words '{}'", values.words);
    case Values::files:
      return "_strata_files -f";
    case Values::folders:
      return "_strata_files -d";
    case Values::gpus:
      return "_strata_files -f; _strata_more gpus";
    case Values::kernels:
      return "_strata_no_space; _strata_files -f; _strata_more kernels";
    case Values::expectations:
      return "_strata_more expectations";
    case Values::settings:
      return "_strata_paths";
    case Values::assignments:
      return "_strata_no_space; _strata_paths =";
  }
  return {};
}

constexpr std::string_view bash_head = R"bash(# Completion of strata in bash, written by `strata list bash-completion`.
_strata_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_strata_no_space() { compopt -o nospace 2>/dev/null; }
_strata_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen "$1" -- "$current"); }
# The first column of a list of the program.
_strata_first() { "${COMP_WORDS[0]}" list "$1" 2>/dev/null | awk 'NR > 2 && /^[^ ]/ { print $1 }'; }
# Adds those of the words that begin with what stands after the last comma.
_strata_add() {
  local head='' more
  [[ $current == *,* ]] && head=${current%,*},
  mapfile -t more < <(compgen -P "$head" -W "$1" -- "${current##*,}")
  COMPREPLY+=("${more[@]}")
}
_strata_more() { _strata_add "$(_strata_first "$1")"; }
# Adds paths of settings, each with $1 behind it; an index that is not typed is 0. A map is given a value only where
# that may be none.
_strata_paths() {
  local head='' rest=${current##*,} typed='' indices=() path values i
  [[ $current == *,* ]] && head=${current%,*},
  while [[ $rest =~ ^([^][]*)\[([0-9]+)\](.*)$ ]]; do
    typed+="${BASH_REMATCH[1]}[]" indices+=("${BASH_REMATCH[2]}") rest=${BASH_REMATCH[3]}
  done
  typed+=$rest
  while read -r path values; do
    [[ $path == "$typed"* && ( -z $1 || $values != map ) ]] || continue
    for ((i = 0; ; ++i)); do
      [[ $path == *'[]'* ]] || break
      path=${path/'[]'/"[${indices[i]:-0}]"}
    done
    COMPREPLY+=("$head$path$1")
  done <<<"$_strata_settings"
}
# Adds the values of the setting $1, where those are words.
_strata_values() {
  local wanted=$1 path values
  while [[ $wanted =~ ^(.*)\[[0-9]+\](.*)$ ]]; do wanted="${BASH_REMATCH[1]}[]${BASH_REMATCH[2]}"; done
  if [[ $wanted == gpu ]]; then _strata_more gpus; return; fi
  while read -r path values; do
    [[ $path == "$wanted" ]] && _strata_add "${values#map}"
  done <<<"$_strata_settings"
}
_strata() {
  local current=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} options='' words='' before=$((COMP_CWORD - 1)) given=''
  COMPREPLY=()
  # Bash takes the = of --option=value and of path=value for a word.
  if [[ $current == '=' ]]; then current='' given=yes
  elif [[ ${COMP_WORDS[before]} == '=' ]]; then before=$((before - 1)) given=yes
  fi
  local previous=${COMP_WORDS[before]} option=''
  if [[ $given == yes ]] && ((before > 2)); then
    option=${COMP_WORDS[before - 1]}
    [[ $option == '=' ]] && option=${COMP_WORDS[before - 2]}
  fi
)bash";

std::string zsh_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string zsh_action(const Completed& values) {
  switch (values.kind) {
    case Values::none:
      return " ";
    case Values::words:
      return fmt::format("({})", values.words);
    case Values::files:
      return "_files";
    case Values::folders:
      return "_directories";
    case Values::gpus:
      return "_strata_gpus";
    case Values::kernels:
      return "_strata_kernels";
    case Values::expectations:
      return "_strata_expectations";
    case Values::settings:
      return "_strata_paths";
    case Values::assignments:
      return "_strata_assignments";
  }
  return {};
}

constexpr std::string_view zsh_head = R"zsh(#compdef strata
# Completion of strata in zsh, written by `strata list zsh-completion`.
_strata_first() { "$_strata_program" list "$1" 2>/dev/null | awk 'NR > 2 && /^[^ ]/ { print $1 }' }
_strata_gpus() { _alternative "gpus:GPU:(${(j: :)${(f)"$(_strata_first gpus)"}})" 'files:file:_files' }
_strata_kernels() { _alternative "kernels:kernel:(${(j: :)${(f)"$(_strata_first kernels)"}})" 'files:file:_files' }
_strata_expectations() { compadd -- ${(f)"$(_strata_first expectations)"} }
# Paths of settings; an index that is not typed is 0.
_strata_paths() { compset -P '*,'; compadd -- ${${${(f)_strata_settings}%% *}//\[\]/[0]} }
# PATH=VALUE: the path, then the values of the setting where those are words.
_strata_assignments() {
  if ! compset -P '*='; then
    compadd -S = -- ${${${${(f)_strata_settings}:#* map}%% *}//\[\]/[0]}
    return
  fi
  local setting=${${IPREFIX%=}##*=} line
  setting=${setting//\[[0-9]#\]/[]}
  compset -P '*,'
  if [[ $setting == gpu ]]; then compadd -- ${(f)"$(_strata_first gpus)"}; return; fi
  for line in ${(f)_strata_settings}; do
    [[ ${line%% *} == "$setting" ]] && compadd -- ${${(z)${line#* }}:#map}
  done
}
_strata() {
  local _strata_program=${words[1]} verb=${words[2]}
  local -a verbs
  verbs=(
)zsh";

}  // namespace

std::string bash_completion() {
  std::string out(bash_head);
  std::string names;
  std::string cases;
  std::string assignments;
  for (const Verb& verb : verbs()) {
    names += std::string(verb.name) + ' ';
    std::string options;
    std::string words = "_strata_files -f";
    for (const OptionRow& row : all_rows(verb)) {
      options += fmt::format("--{} ", row.name);
      // The action is first; files follow if there may be several words.
      if (row.positional)
        words = fmt::format(
            "{}{}", row.repeatable && !row.choices().empty() ? "((COMP_CWORD > 2)) && _strata_files -f || " : "",
            bash_action(completed(row)));
      if (completed(row).kind == Values::assignments)
        assignments += fmt::format("{}'{} --{}'", assignments.empty() ? "" : " | ", verb.name, row.name);
      // An optional value is given with = only.
      if (!row.value.empty() && row.implied.empty())
        cases += fmt::format("    '{} --{}') {}; return ;;\n", verb.name, row.name, bash_action(completed(row)));
    }
    cases += fmt::format("    '{} '*) options='{}' words=\"{}\" ;;\n", verb.name, options, words);
  }
  out += fmt::format("  if ((COMP_CWORD == 1)); then _strata_words '{}--help --version'; return; fi\n", names);
  out += "  case \"$verb $option\" in\n    " + assignments + ") _strata_values \"$previous\"; return ;;\n  esac\n";
  out += "  case \"$verb $previous\" in\n" + cases + "  esac\n";
  out += "  if [[ $current == -* ]]; then _strata_words \"$options\"; else eval \"$words\"; fi\n}\n";
  out += "# Paths of settings, with the values that they take where those are words.\n_strata_settings='" +
         completed_settings() + "'\n";
  return out + "complete -F _strata strata\n";
}

std::string zsh_completion() {
  std::string out(zsh_head);
  std::string cases;
  for (const Verb& verb : verbs()) {
    out += fmt::format("    '{}:{}'\n", verb.name, zsh_quoted(verb.summary));
    cases += fmt::format("    {})\n      _arguments -s", verb.name);
    std::string words = "'*:file:_files'";
    for (const OptionRow& row : all_rows(verb)) {
      const Completed values = completed(row);
      if (row.positional)
        words = values.kind == Values::words ? fmt::format("'1:{}:({})' '*:file:_files'", row.name, values.words)
                                             : fmt::format("'*:{}:{}'", row.name, zsh_action(values));
      const std::string meaning = zsh_quoted(row.meaning);
      const char* many = row.repeatable ? "*" : "";
      if (row.letter != 0)
        cases += fmt::format(" \\\n        '(-{0} --{1})'{{-{0},--{1}}}'[{2}]'", row.letter, row.name, meaning);
      else if (row.value.empty())
        cases += fmt::format(" \\\n        '--{}[{}]'", row.name, meaning);
      else if (!row.implied.empty())
        cases += fmt::format(" \\\n        '--{}=-[{}]::{}: '", row.name, meaning, zsh_quoted(row.value));
      else
        cases += fmt::format(" \\\n        '{}--{}=[{}]:{}:{}'", many, row.name, meaning, zsh_quoted(row.value),
                             zsh_action(values));
    }
    cases += fmt::format(" \\\n        {} ;;\n", words);
  }
  out +=
      "  )\n  if ((CURRENT == 2)); then _describe verb verbs; return; fi\n  shift words; ((CURRENT--))\n  case $verb "
      "in\n";
  out += cases + "  esac\n}\n";
  return out + "typeset -g _strata_settings='" + completed_settings() + "'\n_strata \"$@\"\n";
}

}  // namespace strata::cli
