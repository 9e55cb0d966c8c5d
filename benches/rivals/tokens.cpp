// Three tokens that are alike on 250 numbers, who wins: triples numbered as they are met, moves reversed, counters of
// undecided moves, decisions from the ends.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

const int N = 250;
typedef std::vector<uint32_t> Row;

int main() {
    Row to[N];
    for (int v = 0; v < N; v++) {
        to[v] = {uint32_t((v * 7 + 3) % N), uint32_t((v * 3 + 1) % N)};
        std::sort(to[v].begin(), to[v].end());
        to[v].erase(std::unique(to[v].begin(), to[v].end()), to[v].end());
    }
    std::vector<uint32_t> number(N * N * N, ~0u), states, count;
    std::vector<std::pair<uint32_t, uint32_t>> arcs;
    auto met = [&](uint32_t a, uint32_t b, uint32_t c) {
        if (a > b) std::swap(a, b);
        if (b > c) std::swap(b, c);
        if (a > b) std::swap(a, b);
        const uint32_t state = (a * N + b) * N + c;
        if (number[state] == ~0u) number[state] = states.size(), states.push_back(state);
        return number[state];
    };
    met(0, 100, 200);
    for (uint32_t at = 0; at < states.size(); at++) {
        const uint32_t a = states[at] / N / N, b = states[at] / N % N, c = states[at] % N;
        const size_t before = arcs.size();
        if (a != b || b != c) {
            for (uint32_t w : to[a]) arcs.push_back({at, met(w, b, c)});
            for (uint32_t w : to[b]) arcs.push_back({at, met(a, w, c)});
            for (uint32_t w : to[c]) arcs.push_back({at, met(a, b, w)});
        }
        count.push_back(arcs.size() - before);
    }
    enum : uint8_t { DRAW, WIN, LOSS };
    const size_t n = states.size();
    std::vector<uint32_t> first(n + 2), before(arcs.size()), left = count, queue;
    for (auto [u, v] : arcs) first[v + 2]++;
    for (size_t v = 2; v <= n + 1; v++) first[v] += first[v - 1];
    for (auto [u, v] : arcs) before[first[v + 1]++] = u;
    std::vector<uint8_t> mark(n, DRAW);
    for (uint32_t v = 0; v < n; v++)
        if (count[v] == 0) mark[v] = LOSS, queue.push_back(v);
    for (size_t i = 0; i < queue.size(); i++)
        for (uint32_t j = first[queue[i]]; j < first[queue[i] + 1]; j++) {
            const uint32_t u = before[j];
            if (mark[u] != DRAW) continue;
            if (mark[queue[i]] == LOSS) mark[u] = WIN;
            else if (--left[u] == 0) mark[u] = LOSS;
            else continue;
            queue.push_back(u);
        }
    int winning = 0;
    for (uint32_t j = 0; j < count[0]; j++) winning += mark[arcs[j].second] == LOSS;
    static const char *words[] = {"draw", "first", "second"};
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%d,\"positions\":%zu}\n", words[mark[0]], winning, n);
}
