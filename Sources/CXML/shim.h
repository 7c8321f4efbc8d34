#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlreader.h>

// How many bytes of the input were read. Deprecated since libxml2 2.15, whose other call for it older versions lack.
static inline long cxml_bytes_read(xmlParserCtxtPtr context) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  return xmlByteConsumed(context);
#pragma clang diagnostic pop
}
