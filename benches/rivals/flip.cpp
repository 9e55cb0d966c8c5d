// Flip on digraphs: strong components by Tarjan with a stack of its own, then the reach of the first black one.
#include "text.hpp"
#include <algorithm>

struct Digraph {
  int n;
  std::vector<int> start, end;
  Digraph(int n, const std::vector<int> &arcs) : n(n), start(n + 1), end(arcs.size() / 2) {
    for (size_t i = 0; i < arcs.size(); i += 2) start[arcs[i] + 1]++;
    for (int v = 0; v < n; v++) start[v + 1] += start[v];
    std::vector<int> next(start.begin(), start.end() - 1);
    for (size_t i = 0; i < arcs.size(); i += 2) end[next[arcs[i]]++] = arcs[i + 1];
  }
  // The part of every vertex, sinks first; the number of parts.
  int parts(std::vector<int> &of) const {
    std::vector<int> index(n), low(n), next(start.begin(), start.end() - 1), open, path;
    of.assign(n, -1);
    int seen = 0, count = 0;
    for (int r = 0; r < n; r++) {
      if (index[r]) continue;
      path.push_back(r);
      while (!path.empty()) {
        int v = path.back();
        if (!index[v]) {
          index[v] = low[v] = ++seen;
          open.push_back(v);
        }
        if (next[v] < start[v + 1]) {
          int w = end[next[v]++];
          if (!index[w]) path.push_back(w);
          else if (of[w] < 0) low[v] = std::min(low[v], index[w]);
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
        if (low[v] != index[v]) continue;
        int w;
        do {
          w = open.back();
          open.pop_back();
          of[w] = count;
        } while (w != v);
        count++;
      }
    }
    return count;
  }
  std::vector<char> reach(int v) const {
    std::vector<char> seen(n);
    std::vector<int> open{v};
    seen[v] = 1;
    while (!open.empty()) {
      int u = open.back();
      open.pop_back();
      for (int i = start[u]; i < start[u + 1]; i++)
        if (!seen[end[i]]) {
          seen[end[i]] = 1;
          open.push_back(end[i]);
        }
    }
    return seen;
  }
};

int main(int, char **argv) {
  Text text(argv[1]);
  while (text.line()) {
    int n = (int)text.number();
    Digraph g(n, text.list<int>());
    auto black = text.list<char>();
    std::vector<int> of;
    int count = g.parts(of), first = -1;
    std::vector<char> colour(count, -1);
    bool mixed = false;
    for (int v = 0; v < n; v++) {
      mixed |= colour[of[v]] == !black[v];
      colour[of[v]] = black[v];
      if (black[v] && (first < 0 || of[v] > of[first])) first = v;
    }
    const char *outcome = "draw";
    long winning = 0;
    if (!mixed && first < 0) outcome = "second";
    else if (!mixed && g.reach(first) == black) {
      outcome = "first";
      winning = count == 2 ? n : std::count(of.begin(), of.end(), of[first]);
    } else if (!mixed && count == 2) outcome = "second";
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%ld}\n", outcome, winning);
  }
}
