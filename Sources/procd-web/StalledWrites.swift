import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection whose reader takes nothing of what it asked for. The library ends those that ask for nothing.
final class StalledWrites: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let patience = TimeAmount.seconds(30)

  private var pending = 0
  private var timer: Scheduled<Void>?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    pending += 1
    if timer == nil { begin(context) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    promise.futureResult.whenComplete { _ in
      let (handler, context) = bound.value
      handler.pending -= 1
      handler.timer?.cancel()
      handler.timer = nil
      if handler.pending > 0 { handler.begin(context) }
    }
    context.write(data, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  private func begin(_ context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }
}
