// What is printed of a square of Wythoff's game where `loses(a, b)` is known.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class Loses> void print(int n, Loses loses) {
    int winning = 0;
    for (int k = 1; k <= n; k++) winning += loses(n - k, n) + loses(n, n - k) + loses(n - k, n - k);
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d,\"positions\":%d}\n", loses(n, n) ? "second" : "first", winning,
           (n + 1) * (n + 1));
}
