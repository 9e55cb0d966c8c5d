// Green Hackenbush by fusion: one search from the ground finds the bridges; what a bridge carries counts its value + 1,
// every other edge 1.
#include "text.hpp"
#include <algorithm>

int main(int, char **argv) {
  Text text(argv[1]);
  while (text.line()) {
    auto edges = text.list<int>();
    auto ground = text.list<int>();
    int n = 1 + *std::max_element(edges.begin(), edges.end());
    for (int v : ground) n = std::max(n, v + 1);
    std::vector<char> grounded(n);
    for (int v : ground) grounded[v] = 1;
    for (int &v : edges) if (grounded[v]) v = ground[0];
    int m = (int)edges.size() / 2, root = ground[0];
    std::vector<int> start(n + 1), of(2 * m);
    for (int v : edges) start[v + 1]++;
    for (int v = 0; v < n; v++) start[v + 1] += start[v];
    std::vector<int> next(start.begin(), start.end() - 1);
    for (int i = 0; i < 2 * m; i++) of[next[edges[i]]++] = i;
    next.assign(start.begin(), start.end() - 1);
    std::vector<int> index(n), low(n), path{root}, above{-1};
    std::vector<unsigned> value(n);
    int seen = 1;
    index[root] = low[root] = 1;
    while (!path.empty()) {
      int v = path.back();
      if (next[v] < start[v + 1]) {
        int i = of[next[v]++], w = edges[i ^ 1];
        if (i / 2 == above.back()) continue;
        if (w == v) {
          if (i & 1) value[v] ^= 1;
        } else if (!index[w]) {
          index[w] = low[w] = ++seen;
          path.push_back(w);
          above.push_back(i / 2);
        } else if (index[w] < index[v]) {
          low[v] = std::min(low[v], index[w]);
          value[v] ^= 1;
        }
        continue;
      }
      path.pop_back();
      above.pop_back();
      if (path.empty()) break;
      int u = path.back();
      low[u] = std::min(low[u], low[v]);
      value[u] ^= low[v] > index[u] ? value[v] + 1 : value[v] ^ 1;
    }
    printf("{\"outcome\":\"%s\",\"grundy\":%u}\n", value[root] ? "first" : "second", value[root]);
  }
}
