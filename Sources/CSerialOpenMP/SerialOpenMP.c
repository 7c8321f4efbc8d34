// The entry points of OpenMP that Tesseract calls, for a team of one.
//
// procd works on pages in processes, one per core, and so gives each process one OpenMP thread. The
// runtime library then still sets up and ends a team for every parallel region: some twenty thousand
// system calls a page. A program that has these functions takes them in place of the library's (ELF
// symbol resolution looks into the program first), and a region becomes a call.
//
// The interface is that of GCC's libgomp: GOMP_4.0 and GOMP_1.0 in its libgomp.map.

#include "SerialOpenMP.h"

void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel_sections(void (*region)(void *), void *data, unsigned threads, unsigned count,
                            unsigned flags);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

// The sections of the innermost region: the next one, counted from 1, and how many there are.
static _Thread_local unsigned next_section;
static _Thread_local unsigned section_count;

void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags) {
  (void)threads;
  (void)flags;
  region(data);
}

void GOMP_parallel_sections(void (*region)(void *), void *data, unsigned threads, unsigned count,
                            unsigned flags) {
  (void)threads;
  (void)flags;
  unsigned outer_next = next_section;
  unsigned outer_count = section_count;
  next_section = 1;
  section_count = count;
  region(data);
  next_section = outer_next;
  section_count = outer_count;
}

unsigned GOMP_sections_next(void) {
  return next_section >= 1 && next_section <= section_count ? next_section++ : 0;
}

void GOMP_sections_end_nowait(void) {}
