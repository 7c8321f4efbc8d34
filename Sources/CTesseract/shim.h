#include <leptonica/allheaders.h>
#include <tesseract/capi.h>

// Since 1.83 these hold what pictures, boxes and numbers are made of. Without it, Swift does not know them as types.
#if __has_include(<leptonica/pix_internal.h>)
#include <leptonica/pix_internal.h>
#include <leptonica/array_internal.h>
#endif
