// Welter's game: Grundy values by recursion, memo in std::unordered_map, the coins as a mask.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

std::unordered_map<uint64_t, uint8_t> memo;

uint8_t grundy(uint64_t coins) {
    auto it = memo.find(coins);
    if (it != memo.end()) return it->second;
    bool seen[256] = {};
    for (uint64_t left = coins; left; left &= left - 1) {
        const int c = __builtin_ctzll(left);
        for (int to = 0; to < c; to++)
            if (!(coins >> to & 1)) seen[grundy(coins ^ uint64_t(1) << c ^ uint64_t(1) << to)] = true;
    }
    int value = 0;
    while (seen[value]) value++;
    return memo[coins] = uint8_t(value);
}

int main(int, char **argv) {
    const int coins = atoi(argv[1]);
    uint64_t start = 0;
    for (int i = 0; i < coins; i++) start |= uint64_t(1) << (5 * i + 2);
    int winning = 0;
    for (uint64_t left = start; left; left &= left - 1) {
        const int c = __builtin_ctzll(left);
        for (int to = 0; to < c; to++)
            if (!(start >> to & 1)) winning += grundy(start ^ uint64_t(1) << c ^ uint64_t(1) << to) == 0;
    }
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d}\n", grundy(start) ? "first" : "second", winning);
}
