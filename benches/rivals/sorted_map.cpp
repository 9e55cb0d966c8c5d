// Five heaps in any order, Grundy values: recursion on sorted heaps, six bits each in one key, in a hash table by hand.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

static uint64_t pack(const int *heaps) {
    uint64_t key = 0;
    for (int i = 0; i < 5; i++) key = key << 6 | heaps[i];
    return key;
}

template <class F> void options(uint64_t p, F visit) {
    int heaps[5];
    for (int i = 4; i >= 0; i--, p >>= 6) heaps[i] = p & 63;
    for (int i = 0; i < 5; i++)
        for (int k = 1; k <= heaps[i]; k++) {
            int next[5];
            std::copy(heaps, heaps + 5, next);
            next[i] -= k;
            std::sort(next, next + 5);
            visit(pack(next));
        }
}

#include "open_addressing.hpp"

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    const int heaps[5] = {n, n, n, n, n};
    const int g = grundy(pack(heaps));
    int winning = 0;
    options(pack(heaps), [&](uint64_t q) { winning += grundy(q) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g ? "first" : "second", g,
           winning, used);
}
