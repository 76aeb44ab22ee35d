# aegis_pack(name PREFIX XX VENDOR text VERSION text): a pack of rules from rules/*.cpp and rules/*.c beside the caller's
# CMakeLists.txt. Each file defines one rule, AEGIS_RULE(<file's stem>); the list of rules is made from the file names.
set(AEGIS_SDK_DIR "${CMAKE_CURRENT_LIST_DIR}/..")

function(aegis_pack name)
  cmake_parse_arguments(PACK "" "PREFIX;VENDOR;VERSION" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/rules/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/rules/*.c)
  list(SORT sources)
  set(DECLARATIONS)
  set(ROWS)
  foreach(source IN LISTS sources)
    get_filename_component(stem ${source} NAME_WE)
    string(APPEND DECLARATIONS "extern const aegis_rule aegis_rule_${stem};\n")
    string(APPEND ROWS "    {\"${stem}\", &aegis_rule_${stem}},\n")
  endforeach()
  set(PACK_NAME ${name})
  configure_file(${AEGIS_SDK_DIR}/cmake/pack.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/${name}_pack.cpp @ONLY)
  add_library(${name} MODULE ${sources} ${CMAKE_CURRENT_BINARY_DIR}/${name}_pack.cpp)
  target_include_directories(${name} PRIVATE ${AEGIS_SDK_DIR})
  # Only the pack's own datum leaves the library.
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    C_STANDARD 11 CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
