// Preloaded into linux.uml. On a CPU whose extended register state is larger than the buffer that
// User Mode Linux 6.1 was built for (AMX tiles make it 11 KB), the host refuses to set the state in
// part (EFAULT) and the guest dies at its first process. This sets the guest's part within the full
// state that the host has, which is what the guest means; elsewhere it passes everything through.
#include <array>
#include <cstdarg>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

namespace {

using Ptrace = long (*)(int, pid_t, void*, void*);
constexpr std::size_t state_bytes_max = std::size_t{64} << 10;

long set_part(Ptrace real, pid_t pid, void* type, const iovec& part) {
  static std::array<char, state_bytes_max> state;  // linux.uml calls from one thread at a time
  iovec whole = {state.data(), state.size()};
  if (real(PTRACE_GETREGSET, pid, type, &whole) != 0) return -1;
  if (part.iov_len > whole.iov_len)
    return real(PTRACE_SETREGSET, pid, type, const_cast<iovec*>(&part));
  std::memcpy(state.data(), part.iov_base, part.iov_len);
  return real(PTRACE_SETREGSET, pid, type, &whole);
}

}  // namespace

extern "C" long ptrace(__ptrace_request request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  const pid_t pid = va_arg(arguments, pid_t);
  void* const address = va_arg(arguments, void*);
  void* const data = va_arg(arguments, void*);
  va_end(arguments);
  static const auto real = reinterpret_cast<Ptrace>(dlsym(RTLD_NEXT, "ptrace"));
  if (request == PTRACE_SETREGSET && address == reinterpret_cast<void*>(NT_X86_XSTATE)) {
    return set_part(real, pid, address, *static_cast<const iovec*>(data));
  }
  return real(request, pid, address, data);
}
