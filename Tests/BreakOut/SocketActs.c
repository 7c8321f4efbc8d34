#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "Acts.h"

typedef const struct breakout_place *Place;

static struct sockaddr_in here(uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}
static struct sockaddr_un at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  return address;
}
#define ADDRESS(address) (struct sockaddr *)&(address), sizeof(address)

static int connect_tcp(Place p) {
  struct sockaddr_in address = here(p->port);
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return s < 0 ? errno : outcome(connect(s, ADDRESS(address)));
}
static int connect_fast_open(Place p) {
  struct sockaddr_in address = here(p->port);
  char byte = 'x';
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {
      .msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1};
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return s < 0 ? errno : outcome((int)sendmsg(s, &message, MSG_FASTOPEN));
}
static int send_udp(Place p) {
  struct sockaddr_in address = here(p->port);
  int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return s < 0 ? errno : outcome(sendto(s, "x", 1, 0, ADDRESS(address)));
}
static int listen_tcp(Place p) {
  (void)p;
  struct sockaddr_in address = here(0);
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0) return errno;
  if (bind(s, ADDRESS(address)) != 0) return errno;
  return outcome(listen(s, 1));
}
static int make(int family, int type, int protocol) {
  return outcome(socket(family, type | SOCK_CLOEXEC, protocol));
}
static int internet_6(Place p) { return (void)p, make(AF_INET6, SOCK_STREAM, 0); }
static int raw(Place p) { return (void)p, make(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int ping(Place p) { return (void)p, make(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }
static int addresses(Place p) { return (void)p, make(AF_NETLINK, SOCK_RAW, 0); }
static int kernel_events(Place p) { return (void)p, make(AF_NETLINK, SOCK_RAW, 15); }
static int packets(Place p) { return (void)p, make(AF_PACKET, SOCK_DGRAM, 0); }
static int cryptography(Place p) { return (void)p, make(AF_ALG, SOCK_SEQPACKET, 0); }
static int machine_host(Place p) { return (void)p, make(AF_VSOCK, SOCK_STREAM, 0); }
static int bluetooth(Place p) { return (void)p, make(31, SOCK_RAW, 1); }
static int express(Place p) { return (void)p, make(44, SOCK_RAW, 0); }
static int multipath(Place p) { return (void)p, make(AF_INET, SOCK_STREAM, 262); }
static int datagrams_light(Place p) { return (void)p, make(AF_INET, SOCK_DGRAM, 136); }
static int streams_in_parts(Place p) { return (void)p, make(AF_INET, SOCK_STREAM, 132); }
static int pair_of_tipc(Place p) {
  (void)p;
  int pair[2];
  // TIPC: its sockets speak to other machines. What the kernel lacks is refused by it, not by the filter.
  return outcome(socketpair(30, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
}
static int local_stream(Place p) {
  struct sockaddr_un address = at(below(p->outside, "socket"));
  int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return s < 0 ? errno : outcome(connect(s, ADDRESS(address)));
}
static int local_abstract(Place p) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "procd-%d", p->parent);
  int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0) return errno;
  socklen_t size = (socklen_t)(sizeof(sa_family_t) + 1 + (size_t)length);
  return outcome(connect(s, (struct sockaddr *)&address, size));
}
// A pair of sockets needs no name, but datagrams of one can be sent to any.
static int local_by_pair(Place p) {
  struct sockaddr_un address = at(below(p->outside, "datagrams"));
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  return outcome(sendto(pair[0], "x", 1, 0, ADDRESS(address)));
}

#define ACT(function, name) {name, function},
const struct breakout_act breakout_socket_acts[] = {
    ACT(connect_tcp, "connect by TCP")
    ACT(connect_fast_open, "connect by TCP Fast Open")
    ACT(send_udp, "send by UDP")
    ACT(listen_tcp, "listen by TCP")
    ACT(internet_6, "socket: IPv6")
    ACT(multipath, "socket: multipath TCP")
    ACT(datagrams_light, "socket: UDP-Lite")
    ACT(streams_in_parts, "socket: SCTP")
    ACT(pair_of_tipc, "a pair of sockets that are not local")
    ACT(addresses, "socket: netlink, addresses and routes")
    ACT(kernel_events, "socket: netlink, other")
    ACT(raw, "socket: raw")
    ACT(ping, "socket: ping")
    ACT(packets, "socket: packets")
    ACT(cryptography, "socket: the kernel's cryptography")
    ACT(machine_host, "socket: the virtual machine's host")
    ACT(bluetooth, "socket: Bluetooth")
    ACT(express, "socket: XDP")
    ACT(local_stream, "connect to a local socket")
    ACT(local_abstract, "connect to a local socket without a path")
    ACT(local_by_pair, "send to a local socket from a pair")
};
const int breakout_socket_act_count = sizeof breakout_socket_acts / sizeof breakout_socket_acts[0];

int breakout_count(void) {
  return breakout_file_act_count + breakout_process_act_count + breakout_socket_act_count;
}

static const struct breakout_act *numbered(int act) {
  if (act < breakout_file_act_count) return &breakout_file_acts[act];
  act -= breakout_file_act_count;
  if (act < breakout_process_act_count) return &breakout_process_acts[act];
  return &breakout_socket_acts[act - breakout_process_act_count];
}
const char *breakout_name(int act) { return numbered(act)->name; }
int breakout_try(int act, const struct breakout_place *place) {
  return numbered(act)->attempt(place);
}
