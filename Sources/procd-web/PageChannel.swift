import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A connection of HTTP/1.1, as the library makes them, with ``StrangerGuard`` in front and small buffers.
struct PageChannel: ServerChildChannel, HTTPChannelHandler {
  let connections: Connections
  let responder: HTTPChannelHandler.Responder

  /// Seconds without a request, after which a connection ends.
  private static let idle = Duration.seconds(30)
  /// Bytes that are read at once. A connection whose body nobody wants holds a few of these.
  private static let buffer = 16 << 10

  func setup(
    channel: any Channel, logger: Logger
  ) -> EventLoopFuture<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>> {
    channel.eventLoop.makeCompletedFuture {
      var limits = NIOHTTPDecoderLimitConfiguration()
      limits.maxHeaderFieldSize = 16 << 10
      limits.maxHeaderListSize = 32 << 10
      limits.maxHeaderFieldCount = 100
      try channel.syncOptions?.setOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.buffer))
      let pipeline = channel.pipeline.syncOperations
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false,
        withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
        withDecoderLimitConfiguration: limits)
      try pipeline.addHandler(StrangerGuard(connections))
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      try pipeline.addHandler(StalledWrites())
      try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: Self.idle, logger: logger))
      connections.open(channel)
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel,
        configuration: .init(
          backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2),
          isOutboundHalfClosureEnabled: true))
    }
  }

  func handle(
    value: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, logger: Logger
  ) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }
}
