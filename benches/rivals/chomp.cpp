// Chomp, who wins: recursion that stops at the first losing option, memo in std::unordered_map, 4 bits for a row.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

int rows, columns;
std::unordered_map<uint64_t, bool> memo;

uint64_t bite(uint64_t p, int r, int c) {
    for (int i = r; i < rows; i++)
        if (int(p >> 4 * i & 15) > c) p = (p & ~(uint64_t(15) << 4 * i)) | uint64_t(c) << 4 * i;
    return p;
}

bool wins(uint64_t p) {
    auto it = memo.find(p);
    if (it != memo.end()) return it->second;
    bool found = false;
    for (int r = 0; r < rows && !found; r++)
        for (int c = r == 0; c < int(p >> 4 * r & 15) && !found; c++) found = !wins(bite(p, r, c));
    return memo[p] = found;
}

int main(int, char **argv) {
    rows = atoi(argv[1]), columns = atoi(argv[2]);
    uint64_t start = 0;
    for (int i = 0; i < rows; i++) start |= uint64_t(columns) << 4 * i;
    int winning = 0;
    for (int r = 0; r < rows; r++)
        for (int c = r == 0; c < columns; c++) winning += !wins(bite(start, r, c));
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d,\"visited\":%zu}\n", winning ? "first" : "second", winning,
           memo.size());
}
