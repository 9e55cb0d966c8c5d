// Wythoff's game, who wins: every losing position marks the positions that move to it.
#include "wythoff.hpp"

int main(int, char **argv) {
    const int n = atoi(argv[1]), side = n + 1;
    std::vector<uint8_t> wins(size_t(side) * side);
    for (int a = 0; a <= n; a++)
        for (int b = 0; b <= n; b++) {
            if (wins[size_t(a) * side + b]) continue;
            for (int k = 1; a + k <= n; k++) wins[size_t(a + k) * side + b] = 1;
            for (int k = 1; b + k <= n; k++) wins[size_t(a) * side + b + k] = 1;
            for (int k = 1; a + k <= n && b + k <= n; k++) wins[size_t(a + k) * side + b + k] = 1;
        }
    print(n, [&](int a, int b) { return !wins[size_t(a) * side + b]; });
}
