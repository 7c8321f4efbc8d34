#include <tiffio.h>

// What a picture says of itself; the library's own calls for it take arguments of any number and kind.
struct ctiff_form {
  uint32_t width, height, tile_width, tile_height;
  uint16_t bits, samples, photometric, planar, orientation;
  // What the last sample is (tag 338): 0 nothing known, 1 opacity that colours were multiplied by, 2 opacity alone.
  uint16_t extra;
};

static inline struct ctiff_form ctiff_form(TIFF *tiff) {
  struct ctiff_form form = {0};
  uint16_t count = 0, *extra = NULL;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &form.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &form.height);
  TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &form.tile_width);
  TIFFGetField(tiff, TIFFTAG_TILELENGTH, &form.tile_height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &form.bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &form.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &form.planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &form.orientation);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &form.photometric);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &extra);
  if (count > 0 && extra != NULL) form.extra = extra[count - 1];
  return form;
}

// Nothing on standard error. In C, because handlers take a va_list, which the Swift compiler cannot express on arm64.
static inline void ctiff_be_quiet(void) {
  TIFFSetErrorHandler(NULL);
  TIFFSetWarningHandler(NULL);
}
