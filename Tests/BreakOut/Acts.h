// Shared by the files of acts; not for others.
#ifndef BREAKOUT_ACTS_H
#define BREAKOUT_ACTS_H

#include <errno.h>

#include "BreakOut.h"

struct breakout_act {
  const char *name;
  int (*attempt)(const struct breakout_place *place);
};

extern const struct breakout_act breakout_file_acts[], breakout_process_acts[],
    breakout_socket_acts[];
extern const int breakout_file_act_count, breakout_process_act_count, breakout_socket_act_count;

// What a call returned, as an act's outcome.
static inline int outcome(long result) { return result >= 0 ? 0 : errno; }

// A path below a folder; the text lasts until the next but seven calls.
const char *below(const char *folder, const char *name);

#endif
