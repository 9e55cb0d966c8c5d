// A bag of heaps, Grundy values: recursion on sorted vectors, remembered in a hash table of the standard library.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>

// The splits that are left, then the heaps in order.
using State = std::string;

static std::unordered_map<State, uint8_t> memo;

template <class F> void options(const State &s, F visit) {
    for (size_t i = 1; i < s.size(); i++) {
        if (i > 1 && s[i] == s[i - 1]) continue;
        const int h = s[i];
        const State rest = s.substr(0, i) + s.substr(i + 1);
        for (int k = 1; k <= std::min(h, 3); k++) {
            State next = rest;
            if (k < h) next.insert(std::upper_bound(next.begin() + 1, next.end(), char(h - k)), char(h - k));
            visit(next);
        }
        if (s[0] == 0) continue;
        for (int a = 1; a <= h / 2; a++) {
            State next = rest;
            next[0]--;
            for (char part : {char(a), char(h - a)})
                next.insert(std::upper_bound(next.begin() + 1, next.end(), part), part);
            visit(next);
        }
    }
}

static int grundy(const State &s) {
    if (auto found = memo.find(s); found != memo.end()) return found->second;
    uint64_t seen = 0;
    options(s, [&](const State &next) { seen |= uint64_t(1) << grundy(next); });
    const int g = __builtin_ctzll(~seen);
    memo.emplace(s, uint8_t(g));
    return g;
}

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    State start{3};
    for (int i = 0; i < 4; i++) start += char(n + i);
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](const State &next) { winning += grundy(next) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g ? "first" : "second", g,
           winning, memo.size());
}
