// libcurl, and those of its calls that take any kind of argument, which Swift cannot import: a plain
// function for each kind. The only thing that is asked of OpenSSL itself is how a connection ended.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <openssl/ssl.h>

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

// Who is asked before a socket is opened, told of each line of a head and each piece of a body, and
// asked about once a second whether to go on.
static inline void ccurl_set_callbacks(CURL *handle, curl_opensocket_callback open_socket,
                                       curl_write_callback head, curl_write_callback body,
                                       curl_xferinfo_callback go_on, void *context) {
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, go_on);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

// What is told of a transfer besides its result.
struct ccurl_told {
  char text[CURL_ERROR_SIZE];
  // Whether the server said that the safe connection is at its end: libcurl does not tell that from one
  // that was cut.
  int is_closed;
};

static inline void ccurl_note_alert(const SSL *connection, int where, int alert) {
  struct ccurl_told *told = SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection));
  if (where == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY) told->is_closed = 1;
}

static inline CURLcode ccurl_watch_alerts(CURL *handle, void *settings, void *told) {
  (void)handle;
  SSL_CTX_set_app_data(settings, told);
  SSL_CTX_set_info_callback(settings, ccurl_note_alert);
  return CURLE_OK;
}

// `told` must outlive the handle.
static inline void ccurl_set_told(CURL *handle, struct ccurl_told *told) {
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, told->text);
  curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, ccurl_watch_alerts);
  curl_easy_setopt(handle, CURLOPT_SSL_CTX_DATA, told);
}

static inline const char *ccurl_text(const struct ccurl_told *told) { return told->text; }

// IPv6 addresses are longer than their declaration: a copy would be cut.
static inline struct sockaddr *ccurl_address(struct curl_sockaddr *address) {
  return &address->addr;
}

static inline long ccurl_number(CURL *handle, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(handle, info, &value);
  return value;
}

static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

// Microseconds until the connection stood; 0 where it never did.
static inline curl_off_t ccurl_connect_time(CURL *handle) {
  curl_off_t value = 0;
  curl_easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &value);
  return value;
}
