// The yardstick: libxml2 reads a file as a stream and nothing is done with what it says.
//
//   cc -O2 bare-read.c -o bare-read $(pkg-config --cflags --libs libxml-2.0)
//   bare-read sax FILE      callbacks that do nothing: the fastest way there is
//   bare-read reader FILE   xmlTextReader, node by node: the usual way
#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long elements, letters;

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                  int namespaces, const xmlChar **spaces, int attributes, int defaulted,
                  const xmlChar **values) {
  (void)context; (void)name; (void)prefix; (void)uri; (void)namespaces; (void)spaces; (void)attributes;
  (void)defaulted; (void)values;
  elements++;
}

static void text(void *context, const xmlChar *bytes, int count) {
  (void)context; (void)bytes;
  letters += count;
}

static int sax(const char *path) {
  static char piece[256 << 10];
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start;
  handler.characters = text;
  int file = open(path, O_RDONLY);
  if (file < 0) return 1;
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, path);
  xmlCtxtUseOptions(parser, XML_PARSE_NONET);
  long count;
  while ((count = read(file, piece, sizeof piece)) > 0) xmlParseChunk(parser, piece, (int)count, 0);
  int failed = xmlParseChunk(parser, piece, 0, 1);
  xmlFreeParserCtxt(parser);
  return failed;
}

static int reader(const char *path) {
  xmlTextReaderPtr reader = xmlReaderForFile(path, NULL, XML_PARSE_NONET);
  if (!reader) return 1;
  int more;
  while ((more = xmlTextReaderRead(reader)) == 1)
    if (xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT) elements++;
  xmlFreeTextReader(reader);
  return more != 0;
}

int main(int count, char **words) {
  if (count != 3) return 64;
  int failed = strcmp(words[1], "sax") == 0 ? sax(words[2]) : reader(words[2]);
  printf("%ld elements, %ld letters\n", elements, letters);
  return failed != 0;
}
