// The digraph of the annihilation game, and what is printed of it; shared by both rivals.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

enum : uint8_t { DRAW, WIN, LOSS };

inline std::vector<std::pair<int, int>> arcs(int n) {
    std::vector<std::pair<int, int>> list;
    for (int i = 1; i < n; i++)
        if (i % 11 > 0) list.push_back({i, (i + 1) % n});
    for (int i = 3; i < n; i += 3)
        if ((7 * i + 17) % n != (i + 1) % n || i % 11 == 0) list.push_back({i, (7 * i + 17) % n});
    return list;
}

template <class Mark, class Depth>
void print(const std::vector<std::pair<int, int>> &list, uint32_t start, Mark mark, Depth depth, size_t visited) {
    static const char *words[] = {"draw", "first", "second"};
    int winning = 0;
    for (auto [u, v] : list) winning += start >> u & 1 && mark(start ^ 1u << u ^ 1u << v) == LOSS;
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d,\"visited\":%zu", words[mark(start)], winning, visited);
    if (mark(start) != DRAW) printf(",\"remoteness\":%d", depth(start));
    printf("}\n");
}
