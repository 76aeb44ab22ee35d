// The walk that cuts payloads out of a file, held against protobuf's own parser.
#include "model/cut.hpp"

#include <onnx/onnx_pb.h>

#include <catch2/catch_test_macros.hpp>

#include "model/load.hpp"
#include "model/marker.hpp"
#include "model/onnx_wire.hpp"
#include "model/save.hpp"
#include "model/state.hpp"
#include "tests/unit/model/wire_bytes.hpp"

namespace aegis {
namespace {

using namespace test;

std::string code_of(const std::string& bytes, const LoadOptions& options = {}) {
  const auto model = load_bytes(bytes, "m.onnx", options);
  return model ? std::string("loads") : model.error().code;
}

TEST_CASE("groups inside groups end at the limit of depth, however many there are") {
  std::string groups;
  for (int i = 0; i < 100'000; ++i) groups += "\xa3\x06";  // field 100 begins a group
  CHECK(code_of(groups) == "IO904");
}

TEST_CASE("payloads are cut out wherever a tensor hides") {
  const std::string big(4096, 'w');
  const std::string tensor = varint_field(1, 1024) + varint_field(2, 1) + field(8, "t") + field(9, big);
  const std::string sparse = field(1, tensor) + field(2, tensor) + varint_field(3, 9999);
  const std::string attribute = field(1, "a") + varint_field(20, 4);
  const std::string node = field(4, "Constant");
  const auto in_node = [&](const std::string& inside) { return field(1, node + field(5, attribute + inside)); };
  const std::string graph = field(5, tensor);
  struct Case {
    const char* place;
    std::string model;
    std::size_t cuts;
  };
  const Case cases[] = {
      {"initializer", field(7, graph), 1},
      {"sparse initializer", field(7, field(15, sparse)), 2},
      {"attribute t", field(7, in_node(field(5, tensor))), 1},
      {"attribute tensors", field(7, in_node(field(10, tensor) + field(10, tensor))), 2},
      {"attribute sparse_tensor", field(7, in_node(field(22, sparse))), 2},
      {"attribute sparse_tensors", field(7, in_node(field(23, sparse) + field(23, sparse))), 4},
      {"subgraph", field(7, in_node(field(6, graph))), 1},
      {"subgraphs of subgraphs", field(7, in_node(field(11, in_node(field(6, graph)) + graph) + field(11, graph))), 3},
      {"function node", field(25, field(7, node + field(5, attribute + field(5, tensor)))), 1},
      {"function attribute", field(25, field(11, attribute + field(5, tensor))), 1},
      {"training", field(20, field(1, graph) + field(2, graph)), 2},
      {"float_data", field(7, field(5, varint_field(2, 1) + field(4, big))), 1},
      {"double_data", field(7, field(5, varint_field(2, 11) + field(10, big))), 1},
      {"int32_data", field(7, field(5, varint_field(2, 10) + field(5, std::string(4096, '\1')))), 1},
      {"uint64_data", field(7, field(5, varint_field(2, 2) + field(11, std::string(4096, '\1')))), 1},
      {"blob of an engine", field(7, in_node(field(4, std::string(70000, 'e')))), 1},
      {"documentation of the model", field(6, std::string(70000, 'd')), 1},
      {"documentation of a graph", field(7, field(10, std::string(70000, 'd'))), 1},
      {"documentation of a value", field(7, field(13, field(3, std::string(70000, 'd')))), 1},
      {"documentation of a tensor", field(7, field(5, field(12, std::string(70000, 'd')))), 1},
      {"documentation of a function", field(25, field(8, std::string(70000, 'd'))), 1},
      {"metadata", field(14, field(1, "key") + field(2, std::string(70000, 'd'))), 1},
  };
  for (const Case& c : cases) {
    INFO(c.place);
    const auto skeleton = cut_bytes(c.model);
    REQUIRE(skeleton);
    CHECK(skeleton->cuts.size() == c.cuts);
    CHECK(skeleton->bytes.size() < 600);
    CHECK(same_as_protobuf(c.model) == "");
  }
}

TEST_CASE("any legal encoding means what protobuf makes of it") {
  const std::string big(4096, 'w'), other(4096, 'o');
  const auto tensor = [&](const std::string& payload) { return field(5, varint_field(2, 1) + payload); };
  const std::string group = "\x93\x01" + field(5, big) + "\x94\x01";  // field 18
  const std::string cases[] = {
      field(7, tensor(field(9, big) + field(9, other))),                        // the last one wins
      field(7, tensor(field(4, big) + field(4, other))),                        // they are one list
      field(7, tensor(field(4, big) + field(9, other))),                        // both
      field(7, tensor(field(9, big) + varint_field(1, 1024) + field(8, "t"))),  // payload first
      field(7, tensor("\x25"
                      "abcd"
                      "\x25"
                      "efgh")),  // unpacked
      field(7, tensor(field(4, big) + "\x25"
                                      "abcd")),                             // packed and unpacked
      field(7, tensor(varint_field(9, 7) + field(9, big))),                 // a payload of the wrong kind, and one
      field(7, tensor(field(9, big))) + field(7, tensor(field(9, other))),  // two graphs are one
      field(7, field(1, field(5, field(5, field(9, big)) + field(5, field(4, other))))),  // two tensors are one
      field(7, field(1, field(5, field(5, field(8, "a")) + field(5, field(9, other))))),  // a small one first
      field(7, field(1, field(5, field(6, tensor(field(9, big))) + field(6, tensor(field(9, big)))))),  // two subgraphs
      field(7, field(15, field(1, field(9, big)) + field(1, field(9, other)))),
      field(6, std::string(70000, 'a')) + field(7, "") + field(6, std::string(70000, 'b')),
      field(7, group + tensor(field(9, big))),
      // What stands in a group looks like fields of the message around it, and is none.
      "\x1b" + field(7, "\x67no graph") + field(7, field(5, field(9, big))) + "\x1c",
      "\x1b\x23" + field(7, std::string(20, '\xff')) + "\x24" + field(7, "\x3a\x7f") + "\x1c" +
          field(7, tensor(field(9, big))),
      field(7, tensor("\x1b" + field(9, big) + fixed64_field(0x0ae601, 0) + "\x1c" + field(9, big))),
      group + field(7, tensor(field(9, big))),
      field(7, tensor(field(9, big) + group)),
      "\x08\x8a\x80\x80\x80\x80\x00" + field(7, tensor(field(9, big))),  // padded numbers
      "\x3a\x83\x80\x80\x80\x00" + std::string("\x12\x01g"),
  };
  for (const std::string& bytes : cases) {
    INFO("case " << &bytes - cases);
    CHECK(same_as_protobuf(bytes) == "");
  }
}

TEST_CASE("a file that carries Aegis's own marks reaches no payload with them") {
  const std::string secret(4096, 's');
  for (std::uint32_t base : {0x0ae600u, 0x0ae615u}) {
    for (std::uint32_t n = 0; n < 32; ++n) {
      std::string forged;
      for (std::uint64_t payload = 0; payload < 3; ++payload) {
        forged += varint_field(base + n, payload) + fixed64_field(base + n, payload) +
                  field(base + n, std::string(8, '\0')) + fixed32_field(base + n, 0);
      }
      const std::string thief = field(5, varint_field(1, 4096) + varint_field(2, 3) + field(8, "thief") + forged);
      const std::string model =
          field(7, field(5, varint_field(1, 4096) + varint_field(2, 3) + field(8, "owner") + field(9, secret)) + thief +
                       field(15, field(1, field(8, "sparse") + forged)));
      const auto loaded = load_bytes(model, "m");
      REQUIRE(loaded);
      const auto* source = loaded->initializer(loaded->find("thief"));
      REQUIRE(source != nullptr);
      REQUIRE(std::holds_alternative<TensorSource::Owned>(source->from));
      CHECK(std::get<TensorSource::Owned>(source->from)->empty());
      CHECK(same_as_protobuf(model) == "");  // and keeps them: they are unknown fields like any other
    }
  }
}

TEST_CASE("a walk reads little: one small read for each payload, few large ones for nodes") {
  std::string graph;
  for (int i = 0; i < 50; ++i)
    graph += field(5, varint_field(1, 65536) + varint_field(2, 1) + field(8, "w" + std::to_string(i)) +
                          field(9, std::string(65536, 'w')));
  const auto weights = File::in_memory(field(7, graph), "weights");
  REQUIRE(cut(*weights, Limits{}));
  CHECK(weights->reads() <= 52);
  CHECK(weights->bytes_read() <= 52 * 4096);

  graph.clear();
  for (int i = 0; i < 5000; ++i)
    graph += field(1, field(1, "in" + std::to_string(i)) + field(2, "out" + std::to_string(i)) + field(4, "Relu"));
  const std::string bytes = field(7, graph);
  const auto nodes = File::in_memory(bytes, "nodes");
  const auto skeleton = cut(*nodes, Limits{});
  REQUIRE(skeleton);
  CHECK(nodes->reads() <= bytes.size() / 65536 + 6);
  CHECK(nodes->bytes_read() <= bytes.size() + 65536);
  CHECK(skeleton->bytes.size() <= bytes.size() + 8);
}

TEST_CASE("integers of up to 8 KiB stay where shape propagation reads them") {
  const auto cuts = [](std::uint64_t type, std::size_t bytes) {
    return cut_bytes(field(7, field(5, varint_field(2, type) + field(9, std::string(bytes, '\1')))))->cuts.size();
  };
  CHECK(cuts(7, 8192) == 0);
  CHECK(cuts(7, 8193) == 1);
  CHECK(cuts(1, 1024) == 0);
  CHECK(cuts(1, 1025) == 1);
}

TEST_CASE("a limit that is reached is named, with what was found and what is allowed") {
  const std::string node = field(1, field(4, "Relu"));
  const auto refused = [&](std::uint64_t Limits::* which, std::uint64_t allowed, const std::string& model) {
    LoadOptions options;
    options.limits.*which = allowed;
    const auto loaded = load_bytes(model, "m", options);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == "IO904");
    for (const LimitRow& row : limit_rows())
      if (row.value == which) CHECK(loaded.error().message.find(row.name) != std::string::npos);
    CHECK(loaded.error().message.find(std::to_string(allowed)) != std::string::npos);
    options.limits.*which = allowed + 1;
    CHECK(load_bytes(model, "m", options));
  };
  const auto nest = [&](int depth) {
    std::string graph;
    for (int i = 0; i < depth; ++i) graph = field(1, field(4, "If") + field(5, field(1, "body") + field(6, graph)));
    return field(7, graph);
  };
  refused(&Limits::nodes, 2, field(7, node + node) + field(25, field(7, field(4, "Relu"))));
  refused(&Limits::tensors, 1, field(7, field(5, field(8, "a")) + field(5, field(8, "b"))));
  refused(&Limits::functions, 1, field(7, "") + field(25, field(1, "f")) + field(25, field(1, "g")));
  refused(&Limits::subgraph_depth, 3, nest(4));
  refused(&Limits::wire_depth, 12, nest(4));
  refused(&Limits::name_bytes, 9, field(7, field(1, field(3, "ten  chars"))));
  refused(&Limits::skeleton_bytes, 4, field(7, field(2, "g")));
  CHECK(code_of(nest(33)) == "loads");
  CHECK(code_of(nest(34)) == "IO904");
  std::string type;  // not on the way to any tensor: protobuf's parser meets it
  for (int i = 0; i < 200; ++i) type = field(4, field(1, type));
  CHECK(code_of(field(7, field(11, field(2, type)))) == "IO904");
}

TEST_CASE("functions that call one another too deep, or in a circle, are refused") {
  const auto function = [](const std::string& name, const std::string& calls) {
    return field(25, field(1, name) + field(10, "d") + field(7, field(4, calls) + field(7, "d")));
  };
  CHECK(code_of(field(7, "") + function("f", "f")) == "IO904");
  CHECK(code_of(field(7, "") + function("f", "g") + function("g", "f")) == "IO904");
  CHECK(code_of(field(7, "") + function("f", "g") + function("g", "Relu")) == "loads");
  std::string chain = field(7, "");
  for (int i = 0; i < 102; ++i) chain += function("f" + std::to_string(i), "f" + std::to_string(i + 1));
  CHECK(code_of(chain) == "IO904");
}

TEST_CASE("bytes that do not parse are refused with an offset and the path of the field") {
  const auto message = [](const std::string& bytes) {
    const auto loaded = load_bytes(bytes, "m");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == "IO903");
    return loaded.error().message;
  };
  const auto says = [&](const std::string& bytes, const std::string& offset, const std::string& path) {
    const std::string text = message(bytes);
    INFO(text);
    CHECK(text.find(" at byte " + offset + " ") != std::string::npos);
    CHECK(text.find(" in " + path + ";") != std::string::npos);
  };
  const std::string node = field(1, field(4, "Relu"));
  says(varint_field(1, 8) + field(7, field(1, varint_field(1, 5))), "6",
       "graph.node[0].input[0]");  // a number, not a name
  says(field(1, "8") + field(7, node), "0", "ir_version");
  says("\x3a\x7f", "0", "graph");  // longer than the file
  says(field(7, node + field(1, "\x22\x7f")), "12", "graph.node[1].op_type");
  says(field(7, field(11, field(2, "\x0a\x05"))), "6", "graph.input[0].type.tensor_type");
  says(std::string("\x08") + std::string(11, '\xff'), "0", "ir_version");
  says(field(7, node) + std::string("\0\0", 2), "10", "the file");  // field 0
  says(field(7, node) + "\x0c", "10", "ir_version");                // a group ends
  says(field(7, field(5, field(4, "abc"))), "6", "graph.initializer[0].float_data[0]");
}

}  // namespace
}  // namespace aegis
