// What the texts of a model hold beside words: characters that deceive a reader, and things that are nobody's business.
// A text is looked at once, whatever number of nodes repeats it.
#include <onnx/onnx_pb.h>

#include <array>
#include <string>
#include <string_view>
#include <unordered_set>

#include "ops/fact.hpp"

using namespace aegis;

namespace {

constexpr std::size_t most_hits = 1000;  // of a model; what is past them is not listed

// One code point and its length in bytes; 0xffffffff for what is no UTF-8.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
};
constexpr std::uint32_t invalid = 0xffffffffu;

CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {invalid, 1};
  std::uint32_t value = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {invalid, 1};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {invalid, 1};
  return {value, length};
}

bool is_control(std::uint32_t c, bool prose) {
  if (prose && (c == '\n' || c == '\t' || c == '\r')) return false;
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200d) || c == 0x2060 || c == 0xfeff;
}
bool is_bidi(std::uint32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}
bool is_latin(std::uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Letters of scripts that have twins of Latin ones.
bool is_twin(std::uint32_t c) {
  return (c >= 0x0400 && c <= 0x052f) || (c >= 0x0391 && c <= 0x03a9) || (c >= 0x0531 && c <= 0x0587) ||
         (c >= 0x13a0 && c <= 0x13ff);
}
bool is_letter(std::uint32_t c) { return is_latin(c) || is_twin(c); }

// Nearly every name is: nothing of ASCII that can be seen deceives.
bool is_plain(std::string_view text) {
  bool plain = true;
  for (const char c : text) plain &= c >= 0x20 && c < 0x7f;
  return plain;
}

// The kinds of AEGIS_TEXT_* that a text has, as bits.
std::uint32_t deceptions(std::string_view text, bool prose) {
  if (is_plain(text)) return 0;
  std::uint32_t found = 0;
  const auto bit = [](std::uint32_t kind) { return 1u << (kind - AEGIS_TEXT_CONTROL); };
  bool latin = false, twin = false;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    text.remove_prefix(c.bytes);
    if (c.value == invalid) {
      found |= bit(AEGIS_TEXT_INVALID_UTF8);
      continue;
    }
    if (is_control(c.value, prose)) found |= bit(AEGIS_TEXT_CONTROL);
    if (is_bidi(c.value)) found |= bit(AEGIS_TEXT_BIDI);
    if (!is_letter(c.value)) latin = twin = false;  // a new word
    latin = latin || is_latin(c.value);
    twin = twin || is_twin(c.value);
    if (latin && twin) found |= bit(AEGIS_TEXT_CONFUSABLE);
  }
  return found;
}

bool word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}
std::string_view word_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && word_character(text[end])) ++end;
  return text.substr(from, end - from);
}

struct Private {
  std::uint32_t kind = 0;
  std::string masked;
};

// The first of each kind: a home folder, a mail address, a token by the form that its issuer gives it.
std::vector<Private> privacies(std::string_view text) {
  std::vector<Private> out;
  for (const std::string_view home : {"/home/", "/Users/", "C:\\Users\\"}) {
    const auto at = text.find(home);
    if (at == std::string_view::npos || word_at(text, at + home.size()).empty()) continue;
    out.push_back({AEGIS_TEXT_PATH, std::string(home) + "***"});
    break;
  }
  for (auto at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    const std::string_view host = word_at(text, at + 1);
    const auto dot = host.rfind('.');
    if (at == 0 || !word_character(text[at - 1]) || dot == std::string_view::npos || dot == 0) continue;
    const std::string_view top = host.substr(dot + 1);
    if (top.size() < 2 || top.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos) continue;
    out.push_back({AEGIS_TEXT_ADDRESS, "***@" + std::string(host)});
    break;
  }
  struct Token {
    std::string_view begin;
    std::size_t least;  // characters of the word, the beginning included
  };
  for (const Token token : {Token{"ghp_", 40}, Token{"github_pat_", 60}, Token{"hf_", 30}, Token{"AKIA", 20},
                            Token{"xoxb-", 30}, Token{"sk-", 40}, Token{"glpat-", 26}}) {
    for (auto at = text.find(token.begin); at != std::string_view::npos; at = text.find(token.begin, at + 1)) {
      if (at > 0 && word_character(text[at - 1])) continue;
      if (word_at(text, at).size() < token.least) continue;
      out.push_back({AEGIS_TEXT_SECRET, std::string(token.begin) + "***"});
      break;
    }
  }
  if (text.find("PRIVATE KEY-----") != std::string_view::npos) out.push_back({AEGIS_TEXT_SECRET, "a private key"});
  return out;
}

class Search {
 public:
  explicit Search(FactTable& table) : table_(table) {}

  std::vector<aegis_hit> run() {
    const Model& model = table_.model();
    const auto& proto = model.proto();
    const aegis_place whole{AEGIS_PLACE_MODEL, 0};
    name("producer", proto.producer_name(), whole);
    name("domain", proto.domain(), whole);
    prose("doc_string", proto.doc_string(), whole);
    name("graph name", proto.graph().name(), whole);
    prose("doc_string", proto.graph().doc_string(), whole);
    for (const auto& import : proto.opset_import()) name("domain", import.domain(), whole);
    for (const auto& entry : proto.metadata_props()) {
      name("metadata key", entry.key(), whole);
      prose("metadata", entry.value(), whole);
    }
    for (const auto& function : proto.functions()) name("function", function.name(), whole);
    for (const Node& node : model.nodes()) {
      if (!node.alive) continue;
      const aegis_place at{AEGIS_PLACE_NODE, static_cast<std::uint32_t>(node.id)};
      name("operator", node.op, at);
      name("domain", node.domain, at);
      name("node name", node.name, at);
      prose("doc_string", node.proto->doc_string(), at);
      for (const auto& entry : node.proto->metadata_props()) prose("metadata", entry.value(), at);
    }
    for (const Value& value : model.values())
      if (value.alive) name("value name", value.name, {AEGIS_PLACE_VALUE, static_cast<std::uint32_t>(value.id)});
    for (const Scope& scope : model.scopes()) {
      if (scope.graph == nullptr) continue;
      for (const auto& tensor : scope.graph->initializer())
        for (const auto& entry : tensor.external_data())
          if (entry.key() == "location") name("location", entry.value(), whole);
    }
    return std::move(hits_);
  }

 private:
  void name(std::string_view field, std::string_view text, aegis_place at) {
    if (seen_.insert(text).second) deceptive(field, text, at, false);
  }
  void prose(std::string_view field, std::string_view text, aegis_place at) {
    if (text.empty() || !seen_.insert(text).second) return;
    deceptive(field, text, at, true);
    for (const Private& found : privacies(text)) add(found.kind, field, found.masked, at);
  }
  void deceptive(std::string_view field, std::string_view text, aegis_place at, bool prose) {
    const std::uint32_t found = deceptions(text, prose);
    for (std::uint32_t kind = AEGIS_TEXT_CONTROL; kind <= AEGIS_TEXT_INVALID_UTF8; ++kind)
      if (found >> (kind - AEGIS_TEXT_CONTROL) & 1u) add(kind, field, prose ? field : text, at);
  }
  void add(std::uint32_t kind, std::string_view field, std::string_view masked, aegis_place at) {
    if (hits_.size() == most_hits) return;
    hits_.push_back(
        {.kind = kind, .zero = 0, .at = at, .field = table_.text(field), .masked = table_.text(masked), .span = {}});
  }

  FactTable& table_;
  std::unordered_set<std::string_view> seen_;
  std::vector<aegis_hit> hits_;
};

const void* of_model(FactTable& table, aegis_absence&) {
  auto* fact = table.make<aegis_text>();
  fact->list = table.list<aegis_hit>(Search(table).run());
  return fact;
}

}  // namespace

AEGIS_FACT(text) = {.id = AEGIS_FACT_TEXT, .of_model = of_model};
