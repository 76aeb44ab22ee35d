#pragma once
struct aegis_rule {
  int unused = 0;
};
struct Row {
  const char* name;
  const aegis_rule* rule;
};
