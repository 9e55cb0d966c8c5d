// Dots and boxes, the score: a table of bytes over all sets of drawn edges, filled from the full one down.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const int r = atoi(argv[1]), c = atoi(argv[2]), across = (r + 1) * c, edges = across + r * (c + 1);
    std::vector<std::vector<uint32_t>> boxes(edges);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            const int of[4] = {i * c + j, (i + 1) * c + j, across + i * (c + 1) + j, across + i * (c + 1) + j + 1};
            uint32_t box = 0;
            for (int e : of) box |= 1u << e;
            for (int e : of) boxes[e].push_back(box);
        }
    std::vector<int8_t> score(size_t(1) << edges);
    auto worth = [&](uint32_t drawn, int e) {
        const uint32_t next = drawn | 1u << e;
        int closed = 0;
        for (uint32_t box : boxes[e]) closed += (box & next) == box;
        return closed ? closed + score[next] : -score[next];
    };
    const uint32_t full = (uint32_t(1) << edges) - 1;
    for (uint32_t drawn = full; drawn-- > 0;) {
        int best = -127;
        for (uint32_t open = full & ~drawn; open; open &= open - 1) best = std::max(best, worth(drawn, __builtin_ctz(open)));
        score[drawn] = best;
    }
    int winning = 0;
    for (int e = 0; e < edges; e++) winning += worth(0, e) == score[0];
    const char *outcome = score[0] > 0 ? "first" : score[0] < 0 ? "second" : "draw";
    printf("{\"outcome\":\"%s\",\"score\":%d,\"visited\":%zu}\n", outcome, score[0], score.size());
}
