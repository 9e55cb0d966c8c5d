// Undirected geography on a grid of free cells, the start chosen by the first player: maximum matching by Hopcroft and
// Karp, then the cells that some maximum matching leaves out, by alternating paths from the unmatched ones.
#include "text.hpp"
#include <algorithm>

int main(int, char **argv) {
  Text text(argv[1]);
  while (text.line()) {
    auto rows = text.rows();
    int height = (int)rows.size(), width = (int)rows[0].size(), stride = width + 1;
    // A border of blocked cells; every second free cell is even.
    std::vector<char> free((height + 2) * stride + 1);
    std::vector<int> even;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int v = (y + 1) * stride + x + 1;
        free[v] = rows[y][x] != '#';
        if (free[v] && (x + y) % 2 == 0) even.push_back(v);
      }
    const int steps[4] = {-stride, -1, 1, stride};
    std::vector<int> mate(free.size(), -1), level(free.size()), queue, path;
    std::vector<char> next(free.size());
    for (int v : even)
      for (int step : steps)
        if (mate[v] < 0 && free[v + step] && mate[v + step] < 0) {
          mate[v] = v + step;
          mate[v + step] = v;
        }
    for (bool found = true; found;) {
      found = false;
      queue.clear();
      for (int v : even) {
        level[v] = mate[v] < 0 ? 0 : -1;
        next[v] = 0;
        if (mate[v] < 0) queue.push_back(v);
      }
      for (size_t i = 0; i < queue.size(); i++)
        for (int step : steps) {
          int w = queue[i] + step;
          if (!free[w]) continue;
          if (mate[w] < 0) found = true;
          else if (level[mate[w]] < 0) {
            level[mate[w]] = level[queue[i]] + 1;
            queue.push_back(mate[w]);
          }
        }
      for (int r : even) {
        if (mate[r] >= 0) continue;
        path.assign(1, r);
        while (!path.empty()) {
          int v = path.back();
          if (next[v] == 4) {
            path.pop_back();
            continue;
          }
          int w = v + steps[(int)next[v]++];
          if (!free[w]) continue;
          if (mate[w] >= 0) {
            if (level[mate[w]] == level[v] + 1) path.push_back(mate[w]);
            continue;
          }
          // An augmenting path: every even cell of it takes the odd one that it went to.
          for (int u : path) {
            int odd = u + steps[next[u] - 1];
            mate[u] = odd;
            mate[odd] = u;
          }
          // What is on the path is used up in this round.
          for (int u : path) next[u] = 4;
          path.clear();
        }
      }
    }
    std::vector<char> missed(free.size());
    queue.clear();
    for (int v = 0; v < (int)free.size(); v++)
      if (free[v] && mate[v] < 0) {
        missed[v] = 1;
        queue.push_back(v);
      }
    for (size_t i = 0; i < queue.size(); i++)
      for (int step : steps) {
        int w = queue[i] + step;
        if (free[w] && !missed[mate[w]]) {
          missed[mate[w]] = 1;
          queue.push_back(mate[w]);
        }
      }
    long winning = queue.size();
    printf("{\"outcome\":\"%s\",\"winning_move_count\":%ld}\n", winning ? "first" : "second", winning);
  }
}
