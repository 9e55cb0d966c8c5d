// Turning Turtles: Grundy values of all sets of heads up to the first, a byte each, in ascending order of their masks.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const int coins = atoi(argv[1]);
    uint32_t start = 0;
    for (int i = 1; i <= coins; i++)
        if (i % 3 != 0) start |= 1u << i;
    std::vector<uint8_t> grundy(start + 1);
    for (uint32_t heads = 2; heads <= start; heads += 2) {
        uint64_t seen = 0;
        for (uint32_t left = heads; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const uint32_t one = heads ^ 1u << i;
            seen |= uint64_t(1) << grundy[one];
            for (int j = 1; j < i; j++) seen |= uint64_t(1) << grundy[one ^ 1u << j];
        }
        grundy[heads] = uint8_t(__builtin_ctzll(~seen));
    }
    int winning = 0;
    for (uint32_t left = start; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const uint32_t one = start ^ 1u << i;
        winning += grundy[one] == 0;
        for (int j = 1; j < i; j++) winning += grundy[one ^ 1u << j] == 0;
    }
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d}\n", grundy[start] ? "first" : "second", winning);
}
