// What a hostile file would try from inside a confined process, and a census of all system calls.
// Plain C, because Swift cannot make these calls.
#ifndef BREAKOUT_H
#define BREAKOUT_H

#include <stdint.h>

// Where the acts are tried. All paths are absolute.
struct breakout_place {
  const char *work;     // the step's own folder: `link` leads to the secret, `mine` is a file
  const char *input;    // a file that may be read
  const char *outside;  // a folder of ours: `secret`, `folder/`, `link`, `socket`, `datagrams`
  uint16_t port;        // where somebody listens, on this machine, by TCP
  int parent;           // the process that started this one
  int inherited;        // a descriptor of the parent's that must be closed in the child
};

// Lays the place out in an empty folder, or anew: `work`, `input`, `outside` with listening sockets,
// a TCP port. 0, or an error number.
int breakout_lay_out(const char *folder, struct breakout_place *place);
// Whether input and the folder of ours are as they were laid out.
int breakout_is_unharmed(const struct breakout_place *place);

int breakout_count(void);
const char *breakout_name(int act);

// Tries an act. 0: it took effect; else the error number of the refusal. An act that starts another
// program or ends the process does not return.
int breakout_try(int act, const struct breakout_place *place);

// What an unconfined parent sees afterwards of acts whose effect shows there only: signals.
void breakout_expect_signals(void);
int breakout_took_signal(int sender);

// Census: from now on calls whose sixth argument is marked are not carried out; they tell whether
// they would be.
int breakout_mark_calls(void);

enum { BREAKOUT_ALLOWED = 0, BREAKOUT_REFUSED = 1 };
// Judges a call by number with these first five arguments; `error` is the refusal's error number.
int breakout_judge(long number, const uint64_t arguments[5], int *error);

// The name of a call of this machine, or "".
const char *breakout_call_name(long number);

// A call by the numbers of 32-bit programs (int 0x80).
void breakout_foreign_call(void);

// Gives up all capabilities, as a service's user has none.
void breakout_become_ordinary(void);
// Hides this process's memory from others of the same user, as the daemon does.
void breakout_hide(void);

#endif
