// Lit vertices: Grundy values of all sets of lit vertices, a byte each, in ascending order of their masks.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    std::vector<uint32_t> flips(n);
    for (int v = 0; v < n; v++) flips[v] = 1u << v | 1u << v / 2 | (v >= 3 ? 1u << (v - 3) : 0);
    std::vector<uint8_t> grundy(size_t(1) << n);
    for (uint32_t lit = 1; lit < grundy.size(); lit++) {
        uint64_t seen = 0;
        for (uint32_t left = lit; left; left &= left - 1) seen |= uint64_t(1) << grundy[lit ^ flips[__builtin_ctz(left)]];
        grundy[lit] = uint8_t(__builtin_ctzll(~seen));
    }
    int winning = 0;
    for (int v = 0; v < n; v++) winning += grundy[(grundy.size() - 1) ^ flips[v]] == 0;
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d}\n", grundy.back() ? "first" : "second", grundy.back(),
           winning);
}
