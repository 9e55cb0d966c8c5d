// Node Kayles on a square grid, Grundy values: 64-bit masks, split into parts, memo in std::unordered_map.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

typedef uint64_t Mask;
Mask ball[64];
std::unordered_map<Mask, uint8_t> memo;

int grundy(Mask part);

int after(Mask left, int v) {
    int value = 0;
    for (left &= ~ball[v]; left;) {
        Mask part = 0, edge = left & -left;
        while (edge) {
            const int u = __builtin_ctzll(edge);
            part |= Mask(1) << u;
            edge = (edge | (ball[u] & left)) & ~part;
        }
        left &= ~part;
        value ^= grundy(part);
    }
    return value;
}

int grundy(Mask part) {
    auto it = memo.find(part);
    if (it != memo.end()) return it->second;
    uint64_t seen = 0;
    for (Mask rest = part; rest; rest &= rest - 1) seen |= uint64_t(1) << after(part, __builtin_ctzll(rest));
    return memo[part] = __builtin_ctzll(~seen);
}

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            Mask &b = ball[r * n + c] = Mask(1) << (r * n + c);
            if (r) b |= Mask(1) << (r * n - n + c);
            if (r + 1 < n) b |= Mask(1) << (r * n + n + c);
            if (c) b |= Mask(1) << (r * n + c - 1);
            if (c + 1 < n) b |= Mask(1) << (r * n + c + 1);
        }
    const Mask all = n * n == 64 ? ~Mask(0) : (Mask(1) << n * n) - 1;
    const int g = grundy(all);
    int winning = 0;
    for (int v = 0; v < n * n; v++) winning += after(all, v) == 0;
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"visited\":%zu}\n", g ? "first" : "second", g,
           winning, memo.size());
}
