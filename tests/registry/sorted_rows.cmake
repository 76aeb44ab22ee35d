# A table's rows are sorted by stem, whatever the order of the files and folders.
cmake_minimum_required(VERSION 3.25)
include(${MODULES}/RegistryTable.cmake)
aegis_stems(stems rules/b/zeta.cpp rules/a/mid.cpp rules/c/alpha.cpp)
if(NOT stems STREQUAL "alpha;mid;zeta")
  message(FATAL_ERROR "expected alpha;mid;zeta, got ${stems}")
endif()
