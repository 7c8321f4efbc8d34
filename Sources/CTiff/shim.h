#include <string.h>
#include <tiffio.h>

// What a picture says of itself; the library's own calls for it take arguments of any number and kind.
struct ctiff_form {
  uint32_t width, height, tile_width, tile_height;
  uint32_t rows_per_strip;
  uint16_t bits, samples, photometric, planar, orientation, compression;
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
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &form.rows_per_strip);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &form.compression);
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

// Asks for samples that can be shown, as TIFFRGBAImageBegin does: red, green and blue of JPEG data, 8 bits of LogLuv.
static inline void ctiff_ask_for_8_bits(TIFF *tiff, struct ctiff_form form) {
  if (form.compression == COMPRESSION_JPEG && form.photometric == PHOTOMETRIC_YCBCR &&
      form.planar == PLANARCONFIG_CONTIG)
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  if (form.photometric == PHOTOMETRIC_LOGL || form.photometric == PHOTOMETRIC_LOGLUV)
    TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_8BIT);
}

// Counts what the decoders of fax and JPEG data complain of: they go on as if nothing were wrong, and report success.
static inline int ctiff_count_complaint(
  TIFF *tiff, void *count, const char *module, const char *format, va_list arguments
) {
  if (module != NULL && (strncmp(module, "Fax", 3) == 0 || strcmp(module, "JPEGLib") == 0 ||
                         strcmp(module, "LibJpeg") == 0))
    ++*(uint32_t *)count;
  return 1;
}

static inline void ctiff_count_complaints(TIFFOpenOptions *options, uint32_t *count) {
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_count_complaint, count);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_count_complaint, count);
}

// Puts the pixels of a block into a raster; its planes are one, or as many as there are samples.
static inline void ctiff_put(
  TIFFRGBAImage *image, uint32_t *raster, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
  int32_t skip_in_block, int32_t skip_in_raster, uint8_t *const *planes
) {
  if (image->isContig)
    image->put.contig(
      image, raster, x, y, width, height, skip_in_block, skip_in_raster, planes[0]);
  else
    image->put.separate(
      image, raster, x, y, width, height, skip_in_block, skip_in_raster, planes[0], planes[1],
      planes[2], planes[3]);
}
