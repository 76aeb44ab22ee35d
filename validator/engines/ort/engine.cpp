// Every graph optimisation is off: fused kernels round elsewhere, and what is asked for is a second reading of the
// model's own operators.
#include "validator/engines/engine.hpp"

#include <fmt/format.h>

#include "model/save.hpp"
#include "validator/engines/ort/session.hpp"

namespace aegis {
namespace {

class OrtEngineSession final : public EngineSession {
 public:
  explicit OrtEngineSession(std::unique_ptr<ort::OrtSession> session) : session_(std::move(session)) {}
  Result<RunResult> run(const Feeds& feeds) const override { return session_->run(feeds); }

 private:
  std::unique_ptr<ort::OrtSession> session_;
};

class OrtEngine final : public Engine {
 public:
  explicit OrtEngine(std::shared_ptr<const ort::Library> library) : library_(std::move(library)) {}
  std::string name() const override { return "ort " + library_->version(); }
  bool observes() const override { return false; }
  // It tells only by refusing the whole model, at prepare.
  std::vector<Unsupported> coverage(const Model&) const override { return {}; }
  Result<std::unique_ptr<EngineSession>> prepare(const Model& model, const RunOptions& options) const override {
    AEGIS_TRY(const std::string bytes, serialise(model));
    if (bytes.size() >= std::size_t{1} << 31)
      return Error{.fault = Fault::validation,
                   .code = {},
                   .message = fmt::format("the model is {} bytes, onnx runtime takes less than 2 GiB from memory; use "
                                          "--engine cpu",
                                          bytes.size()),
                   .where = model.path(),
                   .notes = {}};
    std::vector<std::string> outputs;
    for (const ValueId id : model.main().outputs) outputs.emplace_back(model.value(id).name);
    AEGIS_TRY(auto session,
              ort::OrtSession::make(library_, bytes, std::move(outputs), ort::optimise_nothing, options.threads));
    return std::unique_ptr<EngineSession>(std::make_unique<OrtEngineSession>(std::move(session)));
  }

 private:
  std::shared_ptr<const ort::Library> library_;
};

}  // namespace

Result<std::shared_ptr<const Engine>> ort_engine(const std::string& path) {
  AEGIS_TRY(const std::string found, ort::find_library(path));
  AEGIS_TRY(auto library, ort::Library::open(found));
  return std::shared_ptr<const Engine>(std::make_shared<OrtEngine>(std::move(library)));
}

}  // namespace aegis
