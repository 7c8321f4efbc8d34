// What the static standard library of a newer system asks of a C and C++ library, for systems that are older than it:
// glibc 2.38 gave names of their own to functions that read numbers as C23 does and brought strlcpy, and libstdc++ 13
// begins its streams when it is loaded. Linked only where the library lacks them.
// Declared here: the headers of a newer library would lead to the new names.
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int vsscanf(const char *, const char *, __builtin_va_list);

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  __builtin_va_list values;
  __builtin_va_start(values, format);
  int count = vsscanf(text, format, values);
  __builtin_va_end(values);
  return count;
}

// Also of glibc 2.38: a text cut to a buffer of `size` bytes, always ended by a zero.
// Returns the length of the whole text.
__SIZE_TYPE__ strlcpy(char *target, const char *source, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ length = 0;
  for (; source[length]; length += 1) {
    if (length + 1 < size) target[length] = source[length];
  }
  if (size > 0) target[length < size ? length : size - 1] = 0;
  return length;
}

__SIZE_TYPE__ strlcat(char *target, const char *source, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ length = 0;
  while (length < size && target[length]) length += 1;
  return length + strlcpy(target + length, source, size - length);
}

// std::ios_base::Init::Init(), as each file that includes <iostream> called it before.
extern void _ZNSt8ios_base4InitC1Ev(void *);
static char begin[16];
__attribute__((constructor)) static void begin_streams(void) { _ZNSt8ios_base4InitC1Ev(begin); }
void _ZSt21ios_base_library_initv(void) {}
