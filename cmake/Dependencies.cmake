# Everything Aegis is built on. ./dev setup installs it; a distribution's own packages serve as well.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Protobuf REQUIRED)  # module mode, before ONNX: defines protobuf::libprotobuf
find_package(ONNX 1.20 CONFIG REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

# Third-party headers are not ours to warn about.
get_target_property(onnx_includes ONNX::onnx INTERFACE_INCLUDE_DIRECTORIES)
if(onnx_includes)
  set_target_properties(ONNX::onnx PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${onnx_includes}")
endif()
