#include "cli/isolate.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "cli/document.hpp"
#include "cli/worker/message.hpp"
#include "cli/worker/pool.hpp"
#include "model/out_of_memory.hpp"

namespace aegis {
namespace {

Json reply_of(const Result<Exit>& exit, const Json& document, const std::string& notes) {
  return Json{{"exit", exit ? Json(static_cast<int>(*exit)) : Json(nullptr)},
              {"error", exit ? Json(nullptr) : pack_error(exit.error())},
              {"document", document},
              {"notes", notes}};
}

}  // namespace

Result<Exit> run_isolated(const Command& command, const Settings& settings, const WorkerLimits& limits, Io& io,
                          Json& document) {
  Result<Exit> exit = Exit::interrupted;
  const bool whole = run_in_workers({.jobs = 1,
                                     .workers = 1,
                                     .limits = limits,
                                     .work =
                                         [&](std::size_t, const EnterPhase& phase) {
                                           std::ostringstream notes;
                                           Io inner = io;
                                           inner.out = inner.err =
                                               &notes;  // a command writes notes and leaves results to its document
                                           inner.enter = phase;
                                           Result<Exit> ended = command.run(settings, inner, document);
                                           if (!ended) throw_if_out_of_memory(ended.error());
                                           return pack(reply_of(ended, document, notes.str()));
                                         },
                                     .done =
                                         [&](std::size_t, Result<std::string> answer) {
                                           if (!answer) {
                                             exit = std::move(answer).error();
                                             return;
                                           }
                                           Json reply = unpack(*answer).value_or(Json());
                                           *io.err << reply.at("notes").get_ref<const std::string&>();
                                           if (reply.at("error").is_null())
                                             exit = static_cast<Exit>(reply.at("exit").get<int>());
                                           else
                                             exit = unpack_error(reply.at("error"));
                                           document = std::move(reply.at("document"));
                                         },
                                     .tick = {}});
  return whole ? exit : Exit::interrupted;
}

}  // namespace aegis
