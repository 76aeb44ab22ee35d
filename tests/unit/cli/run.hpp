// Runs the program in this process, on captured streams, in a folder of its own.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace aegis::test {

struct Ran {
  Exit exit = Exit::clean;
  std::string out, err;
};

inline Ran run_aegis(const std::vector<std::string>& words, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  Io io{.in = &in, .out = &out, .err = &err, .columns = 100};
  const Exit exit = run_program(words, io);
  return {exit, out.str(), err.str()};
}

// A folder that vanishes with the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "aegis-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(file(name), std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  bool has(const std::string& name) const { return std::filesystem::exists(file(name)); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace aegis::test
