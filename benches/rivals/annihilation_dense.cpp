// Annihilation: tables over all sets of vertices, counters of undecided moves, and moves taken back from the ends.
#include "annihilation.hpp"

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    const uint32_t all = (1u << n) - 1;
    const auto list = arcs(n);
    std::vector<uint8_t> mark(all + 1, DRAW), count(all + 1, 0);
    std::vector<uint16_t> depth(all + 1, 0);
    std::vector<uint32_t> queue;
    queue.reserve(all + 1);
    for (uint32_t s = 0; s <= all; s++) {
        for (auto [u, v] : list) count[s] += s >> u & 1;
        if (count[s] == 0) mark[s] = LOSS, queue.push_back(s);
    }
    for (size_t i = 0; i < queue.size(); i++) {
        const uint32_t t = queue[i];
        for (auto [u, v] : list) {
            const uint32_t s = t ^ 1u << u ^ 1u << v;
            if (!(s >> u & 1) || mark[s] != DRAW) continue;
            if (mark[t] == LOSS) mark[s] = WIN;
            else if (--count[s] == 0) mark[s] = LOSS;
            else continue;
            depth[s] = depth[t] + 1;
            queue.push_back(s);
        }
    }
    for (uint32_t start : {all, all - 1})
        print(list, start, [&](uint32_t s) { return mark[s]; }, [&](uint32_t s) { return depth[s]; }, mark.size());
}
