// Rectangles that are cut, Grundy values: recursion on sorted strings of sides, remembered in a hash table of the standard library.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

// A letter for each rectangle, 16 times one side and the other, in order.
using State = std::string;

static std::unordered_map<State, uint8_t> memo;

template <class F> void options(const State &s, F visit) {
    for (size_t i = 0; i < s.size(); i++) {
        if (i > 0 && s[i] == s[i - 1]) continue;
        const int a = s[i] >> 4, b = s[i] & 15;
        const State rest = s.substr(0, i) + s.substr(i + 1);
        auto cut = [&](char one, char other) {
            State next = rest;
            for (char part : {one, other}) next.insert(std::upper_bound(next.begin(), next.end(), part), part);
            visit(next);
        };
        for (int k = 1; k < a; k++) cut(char(k << 4 | b), char((a - k) << 4 | b));
        for (int k = 1; k < b; k++) cut(char(a << 4 | k), char(a << 4 | (b - k)));
        if (a == b) visit(rest);
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

int main() {
    const State start{char(3 << 4 | 3), char(3 << 4 | 6)};
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](const State &next) { winning += grundy(next) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"visited\":%zu}\n", g ? "first" : "second", g,
           winning, memo.size());
}
