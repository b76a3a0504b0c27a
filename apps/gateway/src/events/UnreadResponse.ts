/** Closes the connection of a response that its client does not read. Otherwise the response would stay open. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

/** The time that a client has to read the end of its stream. */
const graceMillis = 500

/**
 * Cuts the connection of the request unless its response has been sent within a short time. It returns at once. The cut
 * does not depend on the request's fiber, which may be waiting for the client.
 */
export const cutConnection = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.sync(() => {
    const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
    const response = NodeHttpServerRequest.toServerResponse(request)
    return Effect.sync(() => {
      if (!response.writableFinished) socket.destroy()
    })
  }).pipe(Effect.flatMap(Effect.delay(graceMillis)), Effect.forkDetach, Effect.asVoid)
