// Heaps of Nim up to 3 without a file to read: the time a process takes to start and print.
#include <cstdio>

int main() {
    puts("{\"outcome\":\"first\",\"grundy\":3,\"winning_move_count\":1,\"positions\":4}");
}
