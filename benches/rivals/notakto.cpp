// Notakto on 4 x 5, Grundy values: a table of bytes over all sets of marked cells, from the full one down.
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    std::vector<uint32_t> lines;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 3; c++) lines.push_back(7u << (5 * r + c));
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 5; c++) lines.push_back((1u | 1u << 5 | 1u << 10) << (5 * r + c));
    std::vector<uint8_t> g(1 << 20);
    for (uint32_t board = 1 << 20; board-- > 0;) {
        bool over = false;
        for (uint32_t line : lines) over |= (board & line) == line;
        uint32_t seen = 0;
        for (uint32_t open = over ? 0 : ~board & ((1 << 20) - 1); open; open &= open - 1) seen |= 1u << g[board | (open & -open)];
        g[board] = __builtin_ctz(~seen);
    }
    int winning = 0;
    for (int cell = 0; cell < 20; cell++) winning += g[1u << cell] == 0;
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"positions\":%zu}\n", g[0] ? "first" : "second", g[0],
           winning, g.size());
}
