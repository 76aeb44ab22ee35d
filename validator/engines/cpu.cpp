#include <fmt/format.h>

#include "validator/engines/engine.hpp"

namespace aegis {
namespace {

class CpuSession final : public EngineSession {
 public:
  explicit CpuSession(Session session) : session_(std::move(session)) {}
  Result<RunResult> run(const Feeds& feeds) const override { return session_.run(feeds); }

 private:
  Session session_;
};

class CpuEngine final : public Engine {
 public:
  std::string_view name() const override { return "cpu"; }
  std::vector<Unsupported> coverage(const Model& model) const override { return unsupported(model); }
  Result<std::unique_ptr<EngineSession>> prepare(const Model& model, const RunOptions& options) const override {
    AEGIS_TRY(Session session, Session::prepare(model, options));
    return std::unique_ptr<EngineSession>(std::make_unique<CpuSession>(std::move(session)));
  }
};

}  // namespace

Result<const Engine*> find_engine(std::string_view name) {
  static const CpuEngine cpu;
  if (name == cpu.name()) return static_cast<const Engine*>(&cpu);
  return Error{.fault = Fault::usage,
               .code = {},
               .message = fmt::format("engine '{}' is not part of this build, expected cpu; leave --engine out", name),
               .where = "--engine",
               .notes = {}};
}

}  // namespace aegis
