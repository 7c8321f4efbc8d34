// libnats, and its calls that take a structure of settings: a plain function for each, since all those structures hold
// pointers that must outlive the call.
#include <nats/nats.h>
#include <string.h>

static inline natsStatus cnats_jetstream(jsCtx **js, natsConnection *connection, int64_t wait) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = wait;
  return natsConnection_JetStream(js, connection, &options);
}

// A stream that refuses what is too much, and keeps the rest for `age` nanoseconds; made, or given these settings.
static inline natsStatus cnats_make_stream(jsCtx *js, const char *name, const char *subject,
                                           int64_t bytes, int64_t age, int64_t replicas, bool on_disk,
                                           int64_t *made, jsErrCode *error) {
  jsStreamConfig settings;
  jsStreamConfig_Init(&settings);
  settings.Name = name;
  settings.Subjects = &subject;
  settings.SubjectsLen = 1;
  settings.MaxBytes = bytes;
  settings.MaxAge = age;
  settings.Discard = js_DiscardNew;
  settings.Retention = js_LimitsPolicy;
  settings.Replicas = replicas;
  settings.AllowDirect = on_disk;
  // A broker that has no memory for it, or has it on disk already, keeps it on disk.
  for (int storage = on_disk ? js_FileStorage : js_MemoryStorage;; storage = js_FileStorage) {
    settings.Storage = (jsStorageType)storage;
    jsStreamInfo *info = NULL;
    *error = 0;
    natsStatus status = js_AddStream(&info, js, &settings, NULL, error);
    if (*error == JSStreamNameExistErr) {
      *error = 0;
      status = js_UpdateStream(&info, js, &settings, NULL, error);
    }
    if (status == NATS_OK) *made = info->Created;
    if (info != NULL) jsStreamInfo_Destroy(info);
    if (status == NATS_OK || *error == 0 || storage == js_FileStorage) return status;
  }
}

// A consumer whose messages are acknowledged one by one. Times in nanoseconds.
static inline natsStatus cnats_make_consumer(jsCtx *js, const char *stream, const char *name,
                                             const char *filter, int64_t ack_wait, int64_t deliveries,
                                             int64_t idle, jsErrCode *error) {
  jsConsumerConfig settings;
  jsConsumerConfig_Init(&settings);
  settings.Durable = name;
  settings.FilterSubject = filter;
  settings.AckPolicy = js_AckExplicit;
  settings.AckWait = ack_wait;
  settings.MaxDeliver = deliveries;
  settings.MaxAckPending = 10000;
  settings.InactiveThreshold = idle;
  natsStatus status = js_AddConsumer(NULL, js, stream, &settings, NULL, error);
  // With other settings it is there already: 10148 is what newer servers say.
  if (*error == JSConsumerNameExistErr || *error == 10148) {
    *error = 0;
    status = js_UpdateConsumer(NULL, js, stream, &settings, NULL, error);
  }
  return status;
}

// What takes from a consumer that is there, and how long that waits for an acknowledgement, in nanoseconds.
static inline natsStatus cnats_take(natsSubscription **subscription, int64_t *ack_wait, jsCtx *js,
                                    const char *stream, const char *name, const char *filter,
                                    jsErrCode *error) {
  jsConsumerInfo *there = NULL;
  natsStatus status = js_GetConsumerInfo(&there, js, stream, name, NULL, error);
  if (status != NATS_OK) return status;
  *ack_wait = there->Config->AckWait;
  jsConsumerInfo_Destroy(there);
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream;
  options.Consumer = name;
  return js_PullSubscribe(subscription, js, filter, name, NULL, &options, error);
}

// Keeps a message; `identifier` may be null. Where it was kept is `sequence`.
static inline natsStatus cnats_put(jsCtx *js, const char *subject, const void *bytes, int count,
                                   const char *identifier, uint64_t *sequence, jsErrCode *error) {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MsgId = identifier;
  jsPubAck *acknowledged = NULL;
  natsStatus status = js_Publish(&acknowledged, js, subject, bytes, count, &options, error);
  *sequence = acknowledged == NULL ? 0 : acknowledged->Sequence;
  jsPubAck_Destroy(acknowledged);
  return status;
}

static inline natsStatus cnats_get(natsMsg **message, jsCtx *js, const char *stream,
                                   const char *subject) {
  jsDirectGetMsgOptions options;
  jsDirectGetMsgOptions_Init(&options);
  options.LastBySubject = subject;
  return js_DirectGetMsg(message, js, stream, NULL, &options);
}

// What was kept before `sequence`; all of it where that is 0.
static inline natsStatus cnats_purge(jsCtx *js, const char *stream, const char *subject,
                                     uint64_t sequence, jsErrCode *error) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Stream.Purge.Subject = subject;
  options.Stream.Purge.Sequence = sequence;
  return js_PurgeStream(js, stream, &options, error);
}

// One message, or none within `wait` milliseconds.
static inline natsStatus cnats_fetch(natsMsg **message, natsSubscription *subscription, int64_t wait,
                                     jsErrCode *error) {
  natsMsgList list;
  memset(&list, 0, sizeof list);
  natsStatus status = natsSubscription_Fetch(&list, subscription, 1, wait, error);
  if (status == NATS_OK && list.Count > 0) {
    *message = list.Msgs[0];
    list.Msgs[0] = NULL;
  }
  natsMsgList_Destroy(&list);
  return status;
}

// How many bytes an account may keep; -1 without limit.
static inline natsStatus cnats_account(jsCtx *js, int64_t *limit, jsErrCode *error) {
  jsAccountInfo *account = NULL;
  natsStatus status = js_GetAccountInfo(&account, js, NULL, error);
  if (status != NATS_OK) return status;
  *limit = account->Limits.MaxStore;
  jsAccountInfo_Destroy(account);
  return status;
}

// How often a message was delivered, and its number in its stream.
static inline void cnats_about(natsMsg *message, uint64_t *deliveries, uint64_t *sequence) {
  jsMsgMetaData *told = NULL;
  *deliveries = 1;
  *sequence = 0;
  if (natsMsg_GetMetaData(&told, message) != NATS_OK) return;
  *deliveries = told->NumDelivered;
  *sequence = told->Sequence.Stream;
  jsMsgMetaData_Destroy(told);
}
