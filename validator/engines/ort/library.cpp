#include "validator/engines/ort/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "model/load.hpp"
#include "model/save.hpp"
#include "validator/engines/ort/session.hpp"

namespace aegis::ort {
namespace {

namespace fs = std::filesystem;

Error absent(std::string message) {
  return Error{.fault = Fault::usage, .code = {}, .message = std::move(message), .where = "--engine", .notes = {}};
}

// The library in the site-packages of the python3 on PATH; a virtual environment's own folder comes first.
std::string beside_python() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  std::error_code code;
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const fs::path folder = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    if (folder.empty() || !fs::exists(folder / "python3", code)) continue;
    for (const fs::path& prefix :
         {folder.parent_path(), fs::canonical(folder / "python3", code).parent_path().parent_path()})
      for (fs::directory_iterator lib(prefix / "lib", code), end; !code && lib != end; lib.increment(code)) {
        if (!lib->path().filename().string().starts_with("python3")) continue;
        for (const char* packages : {"site-packages", "dist-packages"}) {
          std::error_code none;
          for (fs::directory_iterator it(lib->path() / packages / "onnxruntime" / "capi", none), last;
               !none && it != last; it.increment(none))
            if (it->path().filename().string().starts_with("libonnxruntime.so")) return it->path().string();
        }
      }
    return {};
  }
  return {};
}

// y = x w + b with whole numbers: right answers have right bits. Empty: the library works.
std::string try_out(const std::shared_ptr<const Library>& library) {
  const auto model = parse_text(R"(<ir_version: 8, opset_import: ["" : 13]>
    trial (float[1,2] x) => (float[1,2] y) <float[2,2] w = {1.0, 2.0, 3.0, 4.0}, float[2] b = {10.0, 20.0}>
    { p = MatMul(x, w) y = Add(p, b) })");
  if (!model) return model.error().message;
  const auto bytes = serialise(*model);
  if (!bytes) return bytes.error().message;
  const auto session = OrtSession::make(library, *bytes, {"y"}, optimise_everything, 1);
  if (!session) return session.error().message;
  const double x[] = {5, 7}, y[] = {36, 58};
  const auto result = (*session)->run({{"x", from_doubles(DType::f32, {1, 2}, x)}});
  if (!result) return result.error().message;
  const Tensor& found = result->outputs.at(0);
  if (found.dims != std::vector<std::int64_t>{1, 2} || *found.data != *from_doubles(DType::f32, {1, 2}, y).data)
    return "a small model gives wrong numbers";
  return {};
}

// Runs the trial where a crash or a hang hurts nobody.
std::string try_in_child(const std::shared_ptr<const Library>& library) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe for a trial run";
  const pid_t child = fork();
  if (child < 0) return "no process for a trial run";
  if (child == 0) {
    const std::string problem = try_out(library);
    const auto written = write(ends[1], problem.data(), problem.size());
    _exit(written == static_cast<ssize_t>(problem.size()) && problem.empty() ? 0 : 1);
  }
  close(ends[1]);
  int status = 0;
  const auto start = std::chrono::steady_clock::now();
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(30)) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      close(ends[0]);
      return "a small model ran for 30 s without an end";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::string problem(1024, '\0');
  const auto length = read(ends[0], problem.data(), problem.size());
  close(ends[0]);
  problem.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return problem.empty() ? "a small model crashed it" : problem;
}

}  // namespace

Result<std::string> find_library(const std::string& asked) {
  std::error_code code;
  const char* named = std::getenv("AEGIS_ORT_LIB");
  const std::string path = !asked.empty() ? asked : named ? named : beside_python();
  if (path.empty())
    return absent(
        "onnx runtime was not found, expected its shared library; give --engine ort:PATH, set AEGIS_ORT_LIB or "
        "pip install onnxruntime");
  if (!fs::is_regular_file(path, code))
    return absent(fmt::format("'{}' is no file, expected onnx runtime's shared library", path));
  return path;
}

Result<std::shared_ptr<const Library>> Library::open(const std::string& path) {
  auto library = std::make_shared<Library>();
  library->path_ = path;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return absent(fmt::format("'{}' cannot be opened: {}", path, dlerror()));
  const auto get_base = reinterpret_cast<GetBase>(dlsym(handle, "OrtGetApiBase"));
  const Base* base = get_base ? get_base() : nullptr;
  const char* version = base && base->version ? base->version() : nullptr;
  library->table_ = base && base->get_api ? base->get_api(1) : nullptr;
  if (!version || !library->table_)
    return absent(fmt::format("'{}' is not onnx runtime: it lacks version 1 of its interface", path));
  library->version_ = version;
  const std::string problem = try_in_child(library);
  if (!problem.empty())
    return absent(
        fmt::format("onnx runtime {} at '{}' failed its trial: {}; another version may work", version, path, problem));
  return std::shared_ptr<const Library>(std::move(library));
}

std::string Library::message(Status* status) const {
  if (!status) return {};
  const char* text = GetErrorMessage::call(table_, status);
  std::string message = text && *text ? text : "a call failed without a reason";
  ReleaseStatus::call(table_, status);
  return message;
}

}  // namespace aegis::ort
