// Nim: the exclusive or of the heaps, and the heaps that become smaller by it.
#include "text.hpp"

int main(int, char **argv) {
  Text text(argv[1]);
  while (text.line()) {
    auto heaps = text.list<uint64_t>();
    uint64_t all = 0;
    long winning = 0;
    for (uint64_t heap : heaps) all ^= heap;
    for (uint64_t heap : heaps) winning += (heap ^ all) < heap;
    printf("{\"outcome\":\"%s\",\"grundy\":%llu,\"winning_move_count\":%ld}\n", all ? "first" : "second",
           (unsigned long long)all, winning);
  }
}
