import NIOCore
import NIOHTTP1
import PageAPI

/// Limits the time and the bytes that a request may take to arrive while nobody knows whose it is, and sees to it that
/// the name of the page is given once: the decoder forgets that of an absolute address, and all but the first `Host`.
final class StrangerGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// For the first head, and for each body without a session. Heads take milliseconds, passwords too.
  private static let patience = TimeAmount.seconds(10)

  /// Bytes of a body without a session that are passed over, so that its sender hears why; then the connection ends.
  private static let mostPassed = 256 << 10

  private let connections: Connections
  private var passed = 0
  private var timer: Scheduled<Void>?

  init(_ connections: Connections) { self.connections = connections }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(var head):
      connections.change(context.channel, to: .asking)
      begin(context)
      passed = 0
      Self.nameOnce(&head)
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body(let part):
      passed += part.readableBytes
      guard passed <= Self.mostPassed || connections.isKnown(context.channel) else {
        return context.close(promise: nil)
      }
      context.fireChannelRead(data)
    case .end:
      timer?.cancel()
      context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      // What still comes of a request with a session is not limited.
      if connections.isKnown(context.channel) {
        timer?.cancel()
        passed = .min
      }
      connections.change(context.channel, to: .silent)
    }
    context.write(data, promise: promise)
  }

  private func begin(_ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel, connections = connections
    timer = context.eventLoop.scheduleTask(in: Self.patience) {
      if !connections.isKnown(channel) { channel.close(promise: nil) }
    }
  }

  /// Gives the name in an absolute address (RFC 9112, 3.2.2) as one more `Host`, unless the two are the same. More than
  /// one are refused.
  static func nameOnce(_ head: inout HTTPRequestHead) {
    guard !head.uri.hasPrefix("/") || head.uri.hasPrefix("//") else { return }
    let start = head.uri.firstRange(of: "//")?.upperBound ?? head.uri.startIndex
    let name = head.uri[start...].prefix { !"/?#".contains($0) }
    if head.uri.hasPrefix("//")
      || name.lowercased() != head.headers["Host"].first?.lowercased()
    {
      head.headers.add(name: "Host", value: String(name))
    }
  }
}
