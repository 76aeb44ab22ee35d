# Tables made from file names: to add a rule, an operator, a pass, a command or a report format is to add one file.
# No static constructors, no list to edit. Two files of one stem stop the configure step.

# aegis_stems(OUT files...): sorted stems; an error when two are equal.
function(aegis_stems out)
  if(NOT ARGN)
    message(FATAL_ERROR "a table has no files: its pattern matches nothing, look for a misspelt folder")
  endif()
  set(stems)
  foreach(file IN LISTS ARGN)
    get_filename_component(stem ${file} NAME_WE)
    if(stem IN_LIST stems)
      message(FATAL_ERROR "two files have the stem '${stem}', the second is ${file}: a stem names one entry of a table, rename one of them")
    endif()
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  set(${out} ${stems} PARENT_SCOPE)
endfunction()

# PARSE_ARGV keeps the semicolon that ends DECLARE; ${ARGN} would drop it.
# aegis_table_source(OUT NAME table TEMPLATE file DECLARE line ROW line STEMS ...): writes <build>/generated/<table>.cpp.
function(aegis_table_source out)
  cmake_parse_arguments(PARSE_ARGV 1 A "" "NAME;TEMPLATE;DECLARE;ROW" "STEMS")
  set(DECLARATIONS)
  set(ROWS)
  foreach(STEM IN LISTS A_STEMS)
    string(CONFIGURE "${A_DECLARE}" line @ONLY)
    string(APPEND DECLARATIONS "${line}\n")
    string(CONFIGURE "${A_ROW}" line @ONLY)
    string(APPEND ROWS "${line}\n")
  endforeach()
  list(LENGTH A_STEMS COUNT)
  set(source ${CMAKE_BINARY_DIR}/generated/${A_NAME}.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/${A_TEMPLATE} ${source} @ONLY)
  set(${out} ${source} PARENT_SCOPE)
endfunction()

# aegis_registry(target NAME table GLOB pattern TEMPLATE file DECLARE line ROW line): @STEM@ in the lines is the file's stem.
function(aegis_registry target)
  cmake_parse_arguments(PARSE_ARGV 1 A "" "NAME;GLOB;TEMPLATE;DECLARE;ROW" "")
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${A_GLOB})
  aegis_stems(stems ${files})
  aegis_table_source(source NAME ${A_NAME} TEMPLATE ${A_TEMPLATE} DECLARE "${A_DECLARE}" ROW "${A_ROW}" STEMS ${stems})
  target_sources(${target} PRIVATE ${source})
endfunction()

# aegis_rules(target FOLDER rules TEMPLATE file): one file a rule, rules/<family>/<rule>.cpp, against the SDK alone.
function(aegis_rules target)
  cmake_parse_arguments(A "" "FOLDER;TEMPLATE" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${A_FOLDER}/*/*.cpp)
  aegis_stems(stems ${files})
  aegis_table_source(table NAME rule_table TEMPLATE ${A_TEMPLATE}
    DECLARE "extern const aegis_rule aegis_rule_@STEM@;"
    ROW "    {\"@STEM@\", &aegis_rule_@STEM@}," STEMS ${stems})
  add_library(${target}_objects OBJECT ${files})
  target_link_libraries(${target}_objects PRIVATE aegis_sdk)
  target_compile_options(${target}_objects PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
  add_library(${target} STATIC ${table} $<TARGET_OBJECTS:${target}_objects>)
  # The linter runs the table, and the table knows the linter's header: each is linked with the other.
  target_link_libraries(${target} PUBLIC aegis_linter PRIVATE aegis_flags)
  target_link_libraries(aegis_linter INTERFACE ${target})
endfunction()
