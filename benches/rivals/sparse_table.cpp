// Sparse positions of 63 bits.
#include "sparse.hpp"
#include "open_addressing.hpp"

int main(int, char **argv) {
    run(argv, grundy, [] { return used; });
}
