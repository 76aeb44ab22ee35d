// The memory of a test program, in the hands of the test: every operator new is counted, and one of them fails,
// unless a library that does not bear it is at work: a program that ends there is what workers are for (IO908).
#pragma once

namespace aegis::test {

// From now on allocation number `at`, counted from 0, fails; -1: none. Puts the count at 0.
void fail_allocation(long at);
long allocations();  // since then, of this thread
long live();         // allocated and not freed, in the whole program

}  // namespace aegis::test
