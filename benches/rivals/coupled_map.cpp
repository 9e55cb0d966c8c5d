// Coupled heaps, Grundy values: recursion with a memo in std::unordered_map, the three heaps in one 64-bit key.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

std::unordered_map<uint64_t, uint8_t> memo;

const uint64_t A = 1, B = uint64_t(1) << 20, C = B << 20;

template <class F> void options(uint64_t p, F visit) {
    const int a = p % B, b = p / B % B, c = p / C;
    for (int k = 1; k <= 3 && k <= a; k++) visit(p - k * A);
    for (int k = 1; k <= 3 && k <= b; k++) visit(p - k * B);
    for (int k = 1; k <= 3 && k <= c; k++) visit(p - k * C);
    if (a && b && c) visit(p - A - B - C);
}

uint8_t grundy(uint64_t p) {
    auto it = memo.find(p);
    if (it != memo.end()) return it->second;
    uint32_t seen = 0;
    options(p, [&](uint64_t q) { seen |= 1u << grundy(q); });
    return memo[p] = __builtin_ctz(~seen);
}

int main(int, char **argv) {
    const uint64_t n = atoi(argv[1]), start = n * (A + B + C);
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](uint64_t q) { winning += grundy(q) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g ? "first" : "second", g,
           winning, memo.size());
}
