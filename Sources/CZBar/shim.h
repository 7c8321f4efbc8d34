// libzbar's reader of pictures. The library is loaded when it is needed and linked to nothing: it brings libraries for
// cameras, windows and D-Bus, which no other step should carry.
#include <dlfcn.h>
#include <stddef.h>
#include <zbar.h>

#define CZBAR_CALLS(each) \
  each(zbar_image_scanner_create) each(zbar_image_scanner_destroy) \
  each(zbar_image_scanner_set_config) each(zbar_image_scanner_request_dbus) \
  each(zbar_scan_image) each(zbar_image_create) each(zbar_image_destroy) \
  each(zbar_image_set_format) each(zbar_image_set_size) each(zbar_image_set_data) \
  each(zbar_image_first_symbol) each(zbar_symbol_next) each(zbar_symbol_get_data) \
  each(zbar_symbol_get_data_length)

#define CZBAR_FIELD(name) __typeof__(&name) name;
struct czbar_calls {
  CZBAR_CALLS(CZBAR_FIELD)
};
#undef CZBAR_FIELD

// Loads the library for good; 0 where it is not there, or lacks a call. All is bound at once, because a confined process
// can map no code later.
static inline int czbar_load(const char *file, struct czbar_calls *calls) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
#define CZBAR_FIND(name) \
  calls->name = (__typeof__(calls->name))dlsym(library, #name); \
  if (calls->name == NULL) return 0;
  CZBAR_CALLS(CZBAR_FIND)
#undef CZBAR_FIND
  return 1;
}
