// Coupled heaps, Grundy values: a table of bytes over the cube, filled in order.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const size_t n = atoi(argv[1]), z = 1, y = n + 1, x = y * y;
    std::vector<uint8_t> g(x * y);
    auto seen = [&](size_t a, size_t b, size_t c) {
        const size_t p = a * x + b * y + c;
        uint32_t set = 0;
        for (size_t k = 1; k <= 3 && k <= a; k++) set |= 1u << g[p - k * x];
        for (size_t k = 1; k <= 3 && k <= b; k++) set |= 1u << g[p - k * y];
        for (size_t k = 1; k <= 3 && k <= c; k++) set |= 1u << g[p - k * z];
        if (a && b && c) set |= 1u << g[p - x - y - z];
        return set;
    };
    for (size_t a = 0; a <= n; a++)
        for (size_t b = 0; b <= n; b++)
            for (size_t c = 0; c <= n; c++) g[a * x + b * y + c] = __builtin_ctz(~seen(a, b, c));
    const size_t p = g.size() - 1;
    int winning = g[p - x - y - z] == 0;
    for (size_t k = 1; k <= 3; k++) winning += (g[p - k * x] == 0) + (g[p - k * y] == 0) + (g[p - k * z] == 0);
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g[p] ? "first" : "second",
           g[p], winning, g.size());
}
