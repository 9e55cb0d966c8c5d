// Cram, who wins: as cram.cpp, but a part is only asked whether its value is n, for one n after another, which stops at
// the first option that answers yes; only the smaller parts of a board that falls apart are valued in full.
#include "cram.hpp"

std::unordered_map<Board, uint8_t> values;
std::unordered_map<Board, bool> memo[16];

int grundy(Board part);
bool is(Board part, int n);

// Is the value of this board, perhaps of several parts, n?
bool board_is(Board free, int n) {
    Board largest = 0;
    split(free, [&](Board part) {
        if (__builtin_popcountll(part) > __builtin_popcountll(largest)) std::swap(part, largest);
        if (part) n ^= grundy(least(part));
    });
    return largest ? is(least(largest), n) : n == 0;
}

bool is(Board part, int n) {
    auto it = memo[n].find(part);
    if (it != memo[n].end()) return it->second;
    bool found = false; // an option of value n, or a smaller value that the part has itself
    for (int m = 0; m < n && !found; m++) found = is(part, m);
    if (!found) options(part, [&](Board rest) { return found = board_is(rest, n); });
    return memo[n][part] = !found;
}

int grundy(Board part) {
    auto it = values.find(part);
    if (it != values.end()) return it->second;
    int n = 0;
    while (!is(part, n)) n++;
    return values[part] = n;
}

int main(int, char **argv) {
    const Board start = rectangle(atoi(argv[1]), atoi(argv[2]));
    int winning = 0;
    options(start, [&](Board rest) { return winning += board_is(rest, 0), false; });
    size_t visited = 0;
    for (auto &m : memo) visited += m.size();
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d,\"visited\":%zu}\n", winning ? "first" : "second", winning,
           visited);
}
