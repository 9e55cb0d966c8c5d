// Steps that add up an area: (a, b, t) in one key of 6, 6 and 51 bits.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

template <class F> void options(uint64_t p, F visit) {
    const uint64_t a = p >> 57, b = p >> 51 & 63, t = p & (uint64_t(1) << 51) - 1;
    auto pack = [](uint64_t a, uint64_t b, uint64_t t) { return a << 57 | b << 51 | t; };
    if (a) visit(pack(a - 1, b, t + 1000 * b));
    if (b) visit(pack(a, b - 1, t));
    if (a > 2 && b > 2) visit(pack(a - 2, b - 2, t + 7));
}

#include "open_addressing.hpp"

int main(int, char **argv) {
    const uint64_t n = atoi(argv[1]), start = n << 57 | n << 51;
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](uint64_t q) { winning += grundy(q) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g ? "first" : "second", g,
           winning, used);
}
