#include "CLinux.h"
int clinux_placeholder(void) { return 0; }
