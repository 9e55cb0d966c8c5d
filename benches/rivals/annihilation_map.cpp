// Annihilation without using that positions are small numbers: search from the start, nodes in std::unordered_map,
// each with the list of positions that lead to it, then decisions from the ends.
#include "annihilation.hpp"
#include <unordered_map>

struct Node {
    uint8_t mark = DRAW, count = 0;
    uint16_t depth = 0;
    std::vector<uint32_t> before;
};

int main(int, char **argv) {
    const int n = atoi(argv[1]);
    const uint32_t all = (1u << n) - 1;
    const auto list = arcs(n);
    for (uint32_t start : {all, all - 1}) {
        std::unordered_map<uint32_t, Node> nodes;
        std::vector<uint32_t> found{start}, queue;
        nodes[start];
        for (size_t i = 0; i < found.size(); i++) {
            const uint32_t s = found[i];
            int count = 0;
            for (auto [u, v] : list)
                if (s >> u & 1) {
                    const uint32_t t = s ^ 1u << u ^ 1u << v;
                    auto [it, fresh] = nodes.try_emplace(t);
                    if (fresh) found.push_back(t);
                    it->second.before.push_back(s);
                    count++;
                }
            Node &node = nodes[s];
            node.count = count;
            if (count == 0) node.mark = LOSS, queue.push_back(s);
        }
        for (size_t i = 0; i < queue.size(); i++) {
            const Node &to = nodes[queue[i]];
            for (uint32_t s : to.before) {
                Node &node = nodes[s];
                if (node.mark != DRAW) continue;
                if (to.mark == LOSS) node.mark = WIN;
                else if (--node.count == 0) node.mark = LOSS;
                else continue;
                node.depth = to.depth + 1;
                queue.push_back(s);
            }
        }
        print(list, start, [&](uint32_t s) { return nodes[s].mark; }, [&](uint32_t s) { return nodes[s].depth; },
              nodes.size());
    }
}
