// Cram, Grundy values: boards split into parts, each part under the least of its 8 images, memo in std::unordered_map.
#include "cram.hpp"

std::unordered_map<Board, uint8_t> memo;

int grundy(Board part);

int sum(Board free) {
    int value = 0;
    split(free, [&](Board part) { value ^= grundy(least(part)); });
    return value;
}

int grundy(Board part) {
    auto it = memo.find(part);
    if (it != memo.end()) return it->second;
    uint64_t seen = 0;
    options(part, [&](Board rest) { return seen |= uint64_t(1) << sum(rest), false; });
    return memo[part] = __builtin_ctzll(~seen);
}

int main(int, char **argv) {
    const Board start = rectangle(atoi(argv[1]), atoi(argv[2]));
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](Board rest) { return winning += sum(rest) == 0, false; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"visited\":%zu}\n", g ? "first" : "second", g,
           winning, memo.size());
}
