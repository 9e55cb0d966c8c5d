// Grundy values by recursion with a hash table by hand: keys of 63 bits, open addressing, doubled when it is more than half
// full, values in a table beside the keys. `options` comes before.
#include <cstddef>
#include <cstdint>
#include <vector>

std::vector<uint64_t> keys(1 << 16, ~uint64_t(0));
std::vector<uint8_t> values(1 << 16);
size_t used = 0;
int shift = 64 - 16;

size_t slot(uint64_t p) {
    size_t i = p * 0x9E3779B97F4A7C15 >> shift;
    while (keys[i] != ~uint64_t(0) && keys[i] != p) i = (i + 1) & (keys.size() - 1);
    return i;
}

void insert(uint64_t p, uint8_t value) {
    if (2 * ++used > keys.size()) {
        std::vector<uint64_t> old_keys(2 * keys.size(), ~uint64_t(0));
        std::vector<uint8_t> old_values(2 * values.size());
        shift--;
        old_keys.swap(keys), old_values.swap(values);
        for (size_t i = 0; i < old_keys.size(); i++)
            if (old_keys[i] != ~uint64_t(0)) {
                const size_t j = slot(old_keys[i]);
                keys[j] = old_keys[i], values[j] = old_values[i];
            }
    }
    const size_t i = slot(p);
    keys[i] = p, values[i] = value;
}

int grundy(uint64_t p) {
    const size_t i = slot(p);
    if (keys[i] == p) return values[i];
    uint64_t seen = 0;
    options(p, [&](uint64_t q) { seen |= uint64_t(1) << grundy(q); });
    insert(p, __builtin_ctzll(~seen));
    return __builtin_ctzll(~seen);
}
