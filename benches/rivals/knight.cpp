// The white knight: Grundy values of a board, a byte each, by ascending sums of the two numbers.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
    const int n = atoi(argv[1]), side = n + n / 2 + 2;
    const std::array<int, 2> steps[] = {{-2, -1}, {-2, 1}, {-1, -2}, {1, -2}};
    std::vector<uint8_t> grundy(size_t(side) * side);
    auto options = [&](int x, int y, auto visit) {
        for (auto [dx, dy] : steps)
            if (x + dx >= 0 && y + dy >= 0) visit(grundy[size_t(x + dx) * side + y + dy]);
    };
    for (int sum = 0; sum <= 2 * n; sum++)
        for (int x = sum < side ? 0 : sum - side + 1; x <= sum && x < side; x++) {
            uint32_t seen = 0;
            options(x, sum - x, [&](int value) { seen |= 1u << value; });
            grundy[size_t(x) * side + sum - x] = uint8_t(__builtin_ctz(~seen));
        }
    int winning = 0;
    options(n, n, [&](int value) { winning += value == 0; });
    const int value = grundy[size_t(n) * side + n];
    printf("{\"outcome\":\"%s\",\"grundy\":%d,\"winning_move_count\":%d}\n", value ? "first" : "second", value, winning);
}
