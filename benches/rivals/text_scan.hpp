// A file of cases, one JSON object a line, as the bench writes them, read whole: numbers, lists and rows are taken in their order.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Text {
  std::string bytes;
  const char *at;
  explicit Text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    fseek(file, 0, SEEK_END);
    bytes.resize(ftell(file));
    rewind(file);
    if (fread(&bytes[0], 1, bytes.size(), file) != bytes.size()) exit(1);
    fclose(file);
    at = bytes.c_str();
  }
  // Is there another line? Goes to its beginning.
  bool line() {
    while (*at && *at != '{') at++;
    return *at;
  }
  uint64_t number() {
    while (*at < '0' || *at > '9') at++;
    uint64_t value = 0;
    while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
    return value;
  }
  // All numbers of the next list, brackets inside it passed over.
  template <class Int> std::vector<Int> list() {
    while (*at != '[') at++;
    std::vector<Int> all;
    int depth = 0;
    do {
      if (*at == '[') depth++;
      if (*at == ']') depth--;
      if (*at >= '0' && *at <= '9') all.push_back((Int)number());
      else at++;
    } while (depth);
    return all;
  }
  // The texts of the next list.
  std::vector<std::string> rows() {
    while (*at != '[') at++;
    std::vector<std::string> all;
    for (; *at != ']'; at++)
      if (*at == '"') {
        const char *from = ++at;
        while (*at != '"') at++;
        all.emplace_back(from, at);
      }
    return all;
  }
};
