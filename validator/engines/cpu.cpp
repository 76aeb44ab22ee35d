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
  std::string name() const override { return "cpu"; }
  bool observes() const override { return true; }
  std::vector<Unsupported> coverage(const Model& model) const override { return unsupported(model); }
  Result<std::unique_ptr<EngineSession>> prepare(const Model& model, const RunOptions& options) const override {
    AEGIS_TRY(Session session, Session::prepare(model, options));
    return std::unique_ptr<EngineSession>(std::make_unique<CpuSession>(std::move(session)));
  }
};

}  // namespace

std::shared_ptr<const Engine> cpu_engine() { return std::make_shared<CpuEngine>(); }

}  // namespace aegis
