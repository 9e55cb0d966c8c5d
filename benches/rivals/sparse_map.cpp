// Sparse positions of 63 bits, Grundy values: recursion with a memo in std::unordered_map.
#include "sparse.hpp"
#include <unordered_map>

std::unordered_map<uint64_t, uint8_t> memo;

int grundy(uint64_t p) {
    auto it = memo.find(p);
    if (it != memo.end()) return it->second;
    uint32_t seen = 0;
    options(p, [&](uint64_t q) { seen |= 1u << grundy(q); });
    return memo[p] = __builtin_ctz(~seen);
}

int main(int, char **argv) {
    run(argv, grundy, [] { return memo.size(); });
}
