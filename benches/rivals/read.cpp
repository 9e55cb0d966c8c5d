// The nim-sum of heaps read with scanf, as most solutions of contests read.
#include <cstdio>
#include <vector>

int main(int, char **arguments) {
    if (!freopen(arguments[1], "r", stdin)) return 1;
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> heaps(n);
    for (int &heap : heaps)
        if (scanf("%d", &heap) != 1) return 1;
    int sum = 0;
    for (int heap : heaps) sum ^= heap;
    printf("%d\n", sum);
}
