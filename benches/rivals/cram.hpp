// Boards of Cram: 64 bits with rows of 8, turns and flips, parts, moves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

typedef uint64_t Board;

const Board LEFT = 0x0101010101010101, NOT_LEFT = ~LEFT, NOT_RIGHT = ~(LEFT << 7);

inline Board corner(Board b) {
    b >>= __builtin_ctzll(b) / 8 * 8;
    while (!(b & LEFT)) b >>= 1;
    return b;
}

inline Board flip(Board b) { return __builtin_bswap64(b); }

inline Board transpose(Board x) {
    Board t = (x ^ x >> 7) & 0x00AA00AA00AA00AA;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000CCCC0000CCCC;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000F0F0F0F0;
    return x ^ t ^ t << 28;
}

// The least of the 8 images of a board, moved into the corner.
inline Board least(Board b) {
    Board best = ~Board(0);
    for (int i = 0; i < 4; i++) {
        best = std::min({best, corner(b), corner(flip(b))});
        b = transpose(flip(b));
    }
    return best;
}

inline Board rectangle(int rows, int columns) {
    Board b = 0;
    for (int r = 0; r < rows; r++) b |= ((Board(1) << columns) - 1) << 8 * r;
    return b;
}

// Every part of two cells or more.
template <class F> void split(Board free, F visit) {
    while (free) {
        Board part = free & -free, last = 0;
        while (part != last) {
            last = part;
            part |= (part << 8 | part >> 8 | (part & NOT_RIGHT) << 1 | (part & NOT_LEFT) >> 1) & free;
        }
        free &= ~part;
        if (part & (part - 1)) visit(part);
    }
}

// Every board after a move, up to the first of which `visit` says true.
template <class F> void options(Board b, F visit) {
    for (Board across = b & NOT_RIGHT & b >> 1; across; across &= across - 1)
        if (visit(b & ~((across & -across) * 3))) return;
    for (Board down = b & b >> 8; down; down &= down - 1)
        if (visit(b & ~((down & -down) * 257))) return;
}
