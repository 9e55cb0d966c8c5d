// What may be taken depends on who would win another game: two tables of bytes, one after the other.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const int n = atoi(argv[1]), rows = n + 1, columns = n;
    std::vector<uint8_t> wins(rows * columns), g(rows * columns);
    auto at = [&](int a, int b) { return a * columns + b; };
    for (int a = 0; a <= n; a++)
        for (int b = 0; b < n; b++) {
            bool win = b > 0 && !wins[at(a, b - 1)];
            for (int k = 1; k <= 3 && k <= a; k++) win |= !wins[at(a - k, b)];
            wins[at(a, b)] = win;
        }
    auto options = [&](int a, int b, auto visit) {
        for (int k = 1; k <= 8 && k <= a; k++)
            if (!wins[at(a - k, b)]) visit(g[at(a - k, b)]);
        for (int k = 1; k <= 8 && k <= b; k++)
            if (wins[at(a, b - k)]) visit(g[at(a, b - k)]);
    };
    for (int a = 0; a <= n; a++)
        for (int b = 0; b < n; b++) {
            uint32_t seen = 0;
            options(a, b, [&](int value) { seen |= 1u << value; });
            g[at(a, b)] = __builtin_ctz(~seen);
        }
    int winning = 0;
    options(n, n - 1, [&](int value) { winning += value == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n",
           g.back() ? "first" : "second", g.back(), winning, g.size());
}
