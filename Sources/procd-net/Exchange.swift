import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Pipelines
import Synchronization

/// Who is given the answer to a request, piece by piece, on the thread of the connection.
protocol Receiver: Sendable {
  /// - Returns: whether the body is wanted; where it is not, the connection ends here.
  func begin(_ head: HTTPResponseHead) throws(NetAnswer.Failure) -> Bool
  func take(_ bytes: [UInt8]) throws(NetAnswer.Failure)
  /// What is to be said when the body broke off.
  var broken: NetAnswer.Failure { get }
}

/// One request on its way: hands the answer to a receiver and keeps how it went.
final class Exchange: HTTPClientResponseDelegate, Sendable {
  typealias Response = Void

  /// Ends a request whose body is not wanted.
  private struct Enough: Error {}

  private struct State {
    var head: HTTPResponseHead?
    var failure: NetAnswer.Failure?
    var isEnough = false
  }
  private let state = Mutex(State())
  private let receiver: any Receiver

  init(_ receiver: any Receiver) { self.receiver = receiver }

  var head: HTTPResponseHead? { state.withLock { $0.head } }
  /// What the receiver complained of.
  var failure: NetAnswer.Failure? { state.withLock { $0.failure } }
  var isEnough: Bool { state.withLock { $0.isEnough } }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    state.withLock { $0.head = head }
    do throws(NetAnswer.Failure) {
      if try receiver.begin(head) { return task.eventLoop.makeSucceededVoidFuture() }
      state.withLock { $0.isEnough = true }
      return task.eventLoop.makeFailedFuture(Enough())
    } catch { return fail(task, error) }
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    do throws(NetAnswer.Failure) {
      try receiver.take(Array(buffer.readableBytesView))
      return task.eventLoop.makeSucceededVoidFuture()
    } catch { return fail(task, error) }
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {}

  private func fail(
    _ task: HTTPClient.Task<Void>, _ failure: NetAnswer.Failure
  ) -> EventLoopFuture<Void> {
    state.withLock { $0.failure = $0.failure ?? failure }
    return task.eventLoop.makeFailedFuture(failure)
  }
}
