# One static library per folder of the house, with the flags that every file is compiled with.
add_library(aegis_flags INTERFACE)
target_compile_options(aegis_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Werror>
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict>  # GCC 12 sees overflows inside std::string that are none
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>  # libstdc++ 12 uses in stable_sort what it deprecates itself
  $<$<COMPILE_LANGUAGE:CXX>:-fno-fast-math -ffp-contract=off>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Werror>)
target_include_directories(aegis_flags INTERFACE ${CMAKE_SOURCE_DIR})

# aegis_precompile(target headers...): most of the time of a small file goes into headers of others; they are read once
# for each target. Of the project's own headers none is in it, so nothing is compiled again that did not change. Every
# file still includes what it uses: clang-tidy reads it without these.
function(aegis_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set>
    <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> ${ARGN})
endfunction()

# aegis_library(model USES public... PRIVATE_USES private...): every *.cpp under the folder.
function(aegis_library folder)
  cmake_parse_arguments(A "" "" "USES;PRIVATE_USES;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  add_library(aegis_${folder} STATIC ${sources})
  target_link_libraries(aegis_${folder} PUBLIC ${A_USES} PRIVATE aegis_flags ${A_PRIVATE_USES})
  target_include_directories(aegis_${folder} PUBLIC ${CMAKE_SOURCE_DIR})
  aegis_precompile(aegis_${folder} <fmt/format.h> ${A_PRECOMPILE})
endfunction()

# aegis_program(aegis FOLDER cli ...): a library of everything but main.cpp (tests link it) and the binary.
function(aegis_program name)
  cmake_parse_arguments(A "" "FOLDER" "USES;PRIVATE_USES;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${A_FOLDER}/*.cpp)
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/${A_FOLDER}/main.cpp)
  add_library(aegis_${A_FOLDER} STATIC ${sources})
  target_link_libraries(aegis_${A_FOLDER} PUBLIC ${A_USES} PRIVATE aegis_flags ${A_PRIVATE_USES})
  target_include_directories(aegis_${A_FOLDER} PUBLIC ${CMAKE_SOURCE_DIR})
  aegis_precompile(aegis_${A_FOLDER} <fmt/format.h> ${A_PRECOMPILE})
  target_compile_definitions(aegis_${A_FOLDER} PRIVATE AEGIS_VERSION="${PROJECT_VERSION}")
  add_executable(${name} ${CMAKE_SOURCE_DIR}/${A_FOLDER}/main.cpp)
  target_link_libraries(${name} PRIVATE aegis_flags aegis_${A_FOLDER})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()
