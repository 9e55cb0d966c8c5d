// Five heaps in any order, Grundy values: a table of bytes over ascending heaps, numbered by binomial coefficients.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static uint32_t below[5][64];

static uint32_t rank_of(const int *heaps) {
    uint32_t rank = 0;
    for (int i = 0; i < 5; i++) rank += below[i][heaps[i]];
    return rank;
}

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    for (int i = 0; i < 5; i++)
        for (int v = 0; v <= n; v++) {
            uint64_t ways = 1;
            for (int j = 0; j <= i; j++) ways = ways * (v + i - j) / (j + 1);
            below[i][v] = ways;
        }
    std::vector<uint8_t> g;
    int h[5];
    auto seen = [&](auto visit) {
        for (int i = 0; i < 5; i++)
            for (int v = h[i] - 1; v >= 0; v--) {
                int next[5];
                std::copy(h, h + 5, next);
                int at = i;
                for (; at > 0 && next[at - 1] > v; at--) next[at] = next[at - 1];
                next[at] = v;
                visit(g[rank_of(next)]);
            }
    };
    for (h[4] = 0; h[4] <= n; h[4]++)
        for (h[3] = 0; h[3] <= h[4]; h[3]++)
            for (h[2] = 0; h[2] <= h[3]; h[2]++)
                for (h[1] = 0; h[1] <= h[2]; h[1]++)
                    for (h[0] = 0; h[0] <= h[1]; h[0]++) {
                        uint64_t set = 0;
                        seen([&](int value) { set |= uint64_t(1) << value; });
                        g.push_back(__builtin_ctzll(~set));
                    }
    for (int &heap : h) heap = n;
    int winning = 0;
    seen([&](int value) { winning += value == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g.back() ? "first" : "second",
           g.back(), winning, g.size());
}
