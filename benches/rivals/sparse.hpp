// The moves of the sparse game on three numbers of 21 bits in one key, and what is printed; shared by both rivals.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

const int BITS = 21;
const uint64_t FIELD = (uint64_t(1) << BITS) - 1;

template <class F> void options(uint64_t p, F visit) {
    const uint64_t a = p >> 2 * BITS, b = p >> BITS & FIELD, c = p & FIELD;
    auto pack = [](uint64_t a, uint64_t b, uint64_t c) { return a << 2 * BITS | b << BITS | c; };
    if (a) visit(pack(a / 2, b, c)), visit(pack(a / 3, b, c)), visit(pack(a / 5, b, c));
    if (b) visit(pack(a, b / 2, c)), visit(pack(a, b / 3, c)), visit(pack(a, b / 5, c));
    if (c) visit(pack(a, b, c / 2)), visit(pack(a, b, c / 3)), visit(pack(a, b, c / 5));
    if (a && b && c) visit(pack(a / 2, b / 2, c / 2));
}

// A second argument: the tool has fewer positions, since it keeps only one order of the three numbers.
template <class Grundy, class Size> void run(char **argv, Grundy grundy, Size size) {
    const uint64_t n = atoi(argv[1]), start = n << 2 * BITS | (n + 1) << BITS | (n + 2);
    const int g = grundy(start);
    int winning = 0;
    options(start, [&](uint64_t q) { winning += grundy(q) == 0; });
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d,\"%s\":%zu}\n", g ? "first" : "second", g,
           winning, argv[2] ? "visited" : "positions", size());
}
