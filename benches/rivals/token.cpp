// A token on a digraph from a file of arcs, who wins at every vertex and how soon: the arcs reversed in compressed rows,
// counters of undecided moves, decisions from the ends. Vertices are the numbers 0..n-1.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

enum : uint8_t { DRAW, WIN, LOSS };

int main(int, char **argv) {
    FILE *file = fopen(argv[1], "rb");
    fseek(file, 0, SEEK_END);
    std::vector<char> text(ftell(file) + 1);
    rewind(file);
    if (fread(text.data(), 1, text.size() - 1, file) != text.size() - 1) return 1;
    std::vector<std::pair<uint32_t, uint32_t>> arcs;
    const char *at = text.data();
    auto number = [&] {
        uint32_t value = 0;
        while (*at && (*at < '0' || *at > '9')) at++;
        while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
        return value;
    };
    uint32_t n = 0;
    while (*at) {
        const uint32_t u = number(), v = number();
        arcs.push_back({u, v});
        n = std::max({n, u + 1, v + 1});
        while (*at == '\n') at++;
    }
    std::vector<uint32_t> first(n + 2), before(arcs.size()), count(n), depth(n), queue;
    for (auto [u, v] : arcs) first[v + 2]++, count[u]++;
    for (uint32_t v = 2; v <= n + 1; v++) first[v] += first[v - 1];
    for (auto [u, v] : arcs) before[first[v + 1]++] = u;
    std::vector<uint8_t> mark(n, DRAW);
    for (uint32_t v = 0; v < n; v++)
        if (count[v] == 0) mark[v] = LOSS, queue.push_back(v);
    for (size_t i = 0; i < queue.size(); i++) {
        const uint32_t v = queue[i];
        for (uint32_t j = first[v]; j < first[v + 1]; j++) {
            const uint32_t u = before[j];
            if (mark[u] != DRAW) continue;
            if (mark[v] == LOSS) mark[u] = WIN;
            else if (--count[u] == 0) mark[u] = LOSS;
            else continue;
            depth[u] = depth[v] + 1;
            queue.push_back(u);
        }
    }
    const uint32_t start = atoi(argv[2]);
    std::vector<uint32_t> options;
    for (auto [u, v] : arcs)
        if (u == start) options.push_back(v);
    std::sort(options.begin(), options.end());
    options.erase(std::unique(options.begin(), options.end()), options.end());
    const int winning = std::count_if(options.begin(), options.end(), [&](uint32_t v) { return mark[v] == LOSS; });
    static const char *words[] = {"draw", "first", "second"};
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d,\"visited\":%u", words[mark[start]], winning, n);
    if (mark[start] != DRAW) printf(",\"remoteness\":%u", depth[start]);
    printf("}\n");
}
