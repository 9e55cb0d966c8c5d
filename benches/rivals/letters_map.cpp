// A text whose letters go, Grundy values: recursion on strings, remembered in a hash table of the standard library.
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

static std::unordered_map<std::string, uint8_t> memo;

template <class F> void options(const std::string &s, F visit) {
    for (size_t i = 0; i < s.size(); i++)
        if (s[i] == 'a') visit(s.substr(0, i) + s.substr(i + 1));
    for (size_t i = 0; i + 1 < s.size(); i++) {
        if (s[i] == s[i + 1]) visit(s.substr(0, i) + s.substr(i + 2));
        if (s[i] == 'b' && s[i + 1] == 'c') {
            std::string next = s;
            next[i] = 'c', next[i + 1] = 'b';
            visit(next);
        }
    }
}

static int grundy(const std::string &s) {
    if (auto found = memo.find(s); found != memo.end()) return found->second;
    uint64_t seen = 0;
    options(s, [&](const std::string &next) { seen |= uint64_t(1) << grundy(next); });
    const int g = __builtin_ctzll(~seen);
    memo.emplace(s, uint8_t(g));
    return g;
}

int main(int, char **argv) {
    const std::string start = argv[1];
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](const std::string &next) { winning += grundy(next) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g ? "first" : "second", g,
           winning, memo.size());
}
