// The same by `std::ifstream` and `>>`, as one reads in a contest: characters that stand between the numbers are passed over.
#pragma once
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Text {
  std::ifstream in;
  explicit Text(const char *path) {
    std::ios::sync_with_stdio(false);
    in.open(path);
    if (!in) { perror(path); exit(1); }
  }
  // Is there another line? Goes to its beginning.
  bool line() { return to('{'); }
  uint64_t number() {
    while (!isdigit(in.peek())) in.get();
    uint64_t value;
    in >> value;
    return value;
  }
  // All numbers of the next list, brackets inside it passed over.
  template <class Int> std::vector<Int> list() {
    std::vector<Int> all;
    to('[');
    char sign;
    for (int depth = 1; depth && in >> sign;) {
      if (sign == '[') depth++;
      if (sign == ']') depth--;
      if (isdigit(sign)) {
        in.unget();
        all.push_back((Int)number());
      }
    }
    return all;
  }
  // The texts of the next list.
  std::vector<std::string> rows() {
    std::vector<std::string> all;
    to('[');
    for (char sign; in >> sign && sign != ']';)
      if (sign == '"') {
        all.emplace_back();
        std::getline(in, all.back(), '"');
      }
    return all;
  }

private:
  bool to(char wanted) {
    for (char sign; in >> sign;)
      if (sign == wanted) return true;
    return false;
  }
};
