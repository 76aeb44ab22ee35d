#include <aegis/row.hpp>
#include <cstdio>
extern const Row rows[];
extern const int row_count;
int main() {
  for (int i = 0; i < row_count; ++i) std::printf("%s ", rows[i].name);
}
