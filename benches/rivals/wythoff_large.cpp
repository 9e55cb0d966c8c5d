// Wythoff's game by the golden ratio, exactly: floor(n phi) = (n + isqrt(5 n^2)) / 2.
#include "text.hpp"
#include <algorithm>
#include <cinttypes>
#include <cmath>

typedef unsigned __int128 Wide;

static uint64_t root(Wide n) {
  Wide r = (Wide)sqrtl((long double)n);
  while (r * r > n) r--;
  while ((r + 1) * (r + 1) <= n) r++;
  return (uint64_t)r;
}

static uint64_t lower(uint64_t n) { return (n + root((Wide)5 * n * n)) / 2; }

// The other heap of the losing pair that has this one.
static uint64_t partner(uint64_t n) {
  uint64_t k = (root((Wide)5 * (n + 1) * (n + 1)) - (n + 1)) / 2;
  return lower(k) == n ? n + k : k;
}

int main(int, char **argv) {
  Text text(argv[1]);
  while (text.line()) {
    uint64_t a = text.number(), b = text.number();
    uint64_t low = std::min(a, b), losing = lower(std::max(a, b) - low);
    printf("{\"outcome\":\"%s\",\"winning_move_count\":", low == losing ? "second" : "first");
    if (low == losing) {
      puts("0,\"winning_moves\":[]}");
      continue;
    }
    // At most three moves win; one of them is told.
    uint64_t left = partner(b), right = partner(a);
    int winning = (left < a) + (right < b) + (losing < low);
    const char *name = left < a ? "left" : right < b ? "right" : "both";
    uint64_t taken = left < a ? a - left : right < b ? b - right : low - losing;
    printf("%d,\"winning_moves\":[{\"move\":\"%s %" PRIu64 "\"}]}\n", winning, name, taken);
  }
}
