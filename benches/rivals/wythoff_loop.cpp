// Wythoff's game, who wins: every position looks through its moves up to the first losing one.
#include "wythoff.hpp"

int main(int, char **argv) {
    const int n = atoi(argv[1]), side = n + 1;
    std::vector<uint8_t> loses(size_t(side) * side);
    for (int a = 0; a <= n; a++)
        for (int b = 0; b <= n; b++) {
            const uint8_t *here = &loses[size_t(a) * side + b];
            bool wins = false;
            for (int k = 1; k <= b && !wins; k++) wins = here[-k];
            for (int k = 1; k <= a && !wins; k++) wins = here[-std::ptrdiff_t(k) * side];
            for (int k = 1; k <= a && k <= b && !wins; k++) wins = here[-std::ptrdiff_t(k) * (side + 1)];
            loses[size_t(a) * side + b] = !wins;
        }
    print(n, [&](int a, int b) { return loses[size_t(a) * side + b]; });
}
