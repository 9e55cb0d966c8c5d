// A divisor from one heap or a bean from another: lists of divisors first, then a table of bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const int n = atoi(argv[1]), columns = n + 1;
    std::vector<std::vector<int>> divisors(n + 1);
    for (int d = 1; d <= n; d++)
        for (int k = 2 * d; k <= n; k += d) divisors[k].push_back(d);
    std::vector<uint8_t> grundy(size_t(columns) * columns);
    auto options = [&](int a, int b, auto visit) {
        for (int d : divisors[a]) visit(grundy[size_t(a - d) * columns + b]);
        if (b > 0) visit(grundy[size_t(a) * columns + b - 1]);
    };
    for (int b = 1; b <= n; b++) grundy[b] = b % 2;
    for (int a = 1; a <= n; a++)
        for (int b = 0; b <= n; b++) {
            uint64_t seen = 0;
            options(a, b, [&](int value) { seen |= uint64_t(1) << value; });
            grundy[size_t(a) * columns + b] = uint8_t(__builtin_ctzll(~seen));
        }
    int winning = 0;
    options(n, n, [&](int value) { winning += value == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d}\n", grundy.back() ? "first" : "second", grundy.back(),
           winning);
}
