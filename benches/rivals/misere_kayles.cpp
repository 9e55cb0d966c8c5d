// Misere Kayles, who wins every single row of 1..n pins: sorted multisets of rows as strings, recursion that stops at the
// first losing option, memo in std::unordered_map.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>

std::unordered_map<std::string, bool> memo;

bool wins(const std::string &rows) {
    if (rows.empty()) return true;
    auto it = memo.find(rows);
    if (it != memo.end()) return it->second;
    bool found = false;
    for (size_t r = 0; r < rows.size() && !found; r++) {
        if (r && rows[r] == rows[r - 1]) continue;
        std::string rest = rows;
        rest.erase(r, 1);
        for (int taken = 1; taken <= 2 && taken <= rows[r]; taken++)
            for (int left = 0, right; right = rows[r] - taken - left, left <= right && !found; left++) {
                std::string next = rest;
                if (left) next.insert(std::upper_bound(next.begin(), next.end(), left), left);
                if (right) next.insert(std::upper_bound(next.begin(), next.end(), right), right);
                found = !wins(next);
            }
    }
    return memo[rows] = found;
}

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    printf("{\"values\":[");
    for (int i = 1; i <= n; i++) printf("%s%s", i > 1 ? "," : "", wins(std::string(1, i)) ? "true" : "false");
    printf("],\"visited\":%zu}\n", memo.size());
}
