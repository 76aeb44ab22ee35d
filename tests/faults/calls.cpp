#include "tests/faults/calls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace aegis::test {
namespace {

Plan plan;
bool in_force = false;
int count = 0, interrupts = 0;
const char* hit = "";

bool refused(std::string_view name) {
  const std::string all = " " + plan.refuse + " ";
  return !plan.refuse.empty() && all.find(" " + std::string(name) + " ") != std::string::npos;
}

// True when the call fails; errno says why.
bool fails(const char* name, bool may_be_interrupted = false) {
  if (!in_force) return false;
  const int number = count++;
  if (number == plan.at) {
    hit = name;
    if (plan.kill) ::kill(::getpid(), SIGKILL);
    errno = plan.error;
    return true;
  }
  if (refused(name)) {
    errno = plan.refuse_error;
    return true;
  }
  // Every second call is interrupted, so that each one works when it is tried again.
  if (may_be_interrupted && plan.interrupts > 0 && interrupts++ % 2 == 0) {
    errno = EINTR;
    return true;
  }
  return false;
}

std::size_t at_most(std::size_t n) { return plan.most == 0 ? n : std::min(n, plan.most); }

}  // namespace

void plan_calls(const Plan& wanted) {
  plan = wanted;
  in_force = true;
  count = interrupts = 0;
  hit = "";
}
int calls_made() { return count; }
std::string struck() { return hit; }

}  // namespace aegis::test

using aegis::test::at_most;
using aegis::test::fails;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's --wrap makes these names.
extern "C" {
int __real_access(const char*, int);
int __real_close(int);
ssize_t __real_copy_file_range(int, off64_t*, int, off64_t*, size_t, unsigned);
int __real_fchmod(int, mode_t);
int __real_fcntl(int, int, ...);
int __real_fstat(int, struct stat*);
int __real_fstatat(int, const char*, struct stat*, int);
int __real_fsync(int);
int __real_linkat(int, const char*, int, const char*, int);
int __real_lstat(const char*, struct stat*);
int __real_mkdirat(int, const char*, mode_t);
int __real_open(const char*, int, ...);
int __real_openat(int, const char*, int, ...);
ssize_t __real_pread(int, void*, size_t, off_t);
int __real_renameat(int, const char*, int, const char*);
int __real_renameat2(int, const char*, int, const char*, unsigned);
ssize_t __real_sendfile(int, int, off_t*, size_t);
int __real_stat(const char*, struct stat*);
int __real_unlinkat(int, const char*, int);
ssize_t __real_write(int, const void*, size_t);

int __wrap_access(const char* path, int mode);
int __wrap_close(int fd);
ssize_t __wrap_copy_file_range(int in, off64_t* at, int out, off64_t* to, size_t n, unsigned flags);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fstat(int fd, struct stat* info);
int __wrap_fstatat(int at, const char* path, struct stat* info, int flags);
int __wrap_fsync(int fd);
int __wrap_linkat(int a, const char* from, int b, const char* to, int flags);
int __wrap_lstat(const char* path, struct stat* info);
int __wrap_mkdirat(int at, const char* path, mode_t mode);
int __wrap_open(const char* path, int flags, ...);
int __wrap_openat(int at, const char* path, int flags, ...);
ssize_t __wrap_pread(int fd, void* out, size_t n, off_t at);
int __wrap_renameat(int a, const char* from, int b, const char* to);
int __wrap_renameat2(int a, const char* from, int b, const char* to, unsigned flags);
ssize_t __wrap_sendfile(int out, int in, off_t* at, size_t n);
int __wrap_stat(const char* path, struct stat* info);
int __wrap_unlinkat(int at, const char* path, int flags);
ssize_t __wrap_write(int fd, const void* from, size_t n);

int __wrap_access(const char* path, int mode) { return fails("access") ? -1 : __real_access(path, mode); }
// A descriptor is gone whatever close says.
int __wrap_close(int fd) {
  const bool failed = fails("close");
  const int why = errno, result = __real_close(fd);
  errno = why;
  return failed ? -1 : result;
}
ssize_t __wrap_copy_file_range(int in, off64_t* at, int out, off64_t* to, size_t n, unsigned flags) {
  return fails("copy_file_range", true) ? -1 : __real_copy_file_range(in, at, out, to, at_most(n), flags);
}
int __wrap_fchmod(int fd, mode_t mode) { return fails("fchmod") ? -1 : __real_fchmod(fd, mode); }
int __wrap_fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  const int argument = va_arg(rest, int);
  va_end(rest);
  return fails("fcntl") ? -1 : __real_fcntl(fd, command, argument);
}
int __wrap_fstat(int fd, struct stat* info) { return fails("fstat") ? -1 : __real_fstat(fd, info); }
int __wrap_fstatat(int at, const char* path, struct stat* info, int flags) {
  return fails("fstatat") ? -1 : __real_fstatat(at, path, info, flags);
}
int __wrap_fsync(int fd) { return fails("fsync", true) ? -1 : __real_fsync(fd); }
int __wrap_linkat(int a, const char* from, int b, const char* to, int flags) {
  return fails("linkat") ? -1 : __real_linkat(a, from, b, to, flags);
}
int __wrap_lstat(const char* path, struct stat* info) { return fails("lstat") ? -1 : __real_lstat(path, info); }
int __wrap_mkdirat(int at, const char* path, mode_t mode) {
  return fails("mkdirat") ? -1 : __real_mkdirat(at, path, mode);
}
int __wrap_open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  return fails("open") ? -1 : __real_open(path, flags, mode);
}
int __wrap_openat(int at, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  if (fails("openat")) return -1;
  if (aegis::test::plan.no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return __real_openat(at, path, flags, mode);
}
ssize_t __wrap_pread(int fd, void* out, size_t n, off_t at) {
  return fails("pread", true) ? -1 : __real_pread(fd, out, at_most(n), at);
}
int __wrap_renameat(int a, const char* from, int b, const char* to) {
  return fails("renameat") ? -1 : __real_renameat(a, from, b, to);
}
int __wrap_renameat2(int a, const char* from, int b, const char* to, unsigned flags) {
  return fails("renameat2") ? -1 : __real_renameat2(a, from, b, to, flags);
}
ssize_t __wrap_sendfile(int out, int in, off_t* at, size_t n) {
  return fails("sendfile", true) ? -1 : __real_sendfile(out, in, at, at_most(n));
}
int __wrap_stat(const char* path, struct stat* info) { return fails("stat") ? -1 : __real_stat(path, info); }
int __wrap_unlinkat(int at, const char* path, int flags) {
  return fails("unlinkat") ? -1 : __real_unlinkat(at, path, flags);
}
ssize_t __wrap_write(int fd, const void* from, size_t n) {
  return fails("write", true) ? -1 : __real_write(fd, from, at_most(n));
}
}
// NOLINTEND(bugprone-reserved-identifier)
