# What a user does with the template: copy it, build it, name it to the program.
file(REMOVE_RECURSE ${WORK})
file(COPY ${TEMPLATE}/ DESTINATION ${WORK}/pack)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} -S ${WORK}/pack -B ${WORK}/pack/build -DAEGIS_SDK=${SDK})
run(${CMAKE_COMMAND} --build ${WORK}/pack/build)
run(${AEGIS} rules --plugin ${WORK}/pack/build/my_pack.so)
if(NOT output MATCHES "MY101  long_name")
  message(FATAL_ERROR "the rule of the pack is not listed:\n${output}")
endif()
