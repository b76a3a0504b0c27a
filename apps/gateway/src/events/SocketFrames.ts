/** Sends frames over a WebSocket until either side ends it. */
import type { Frame } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import type * as Socket from "effect/socket/Socket"
import * as Stream from "effect/Stream"
import * as FrameText from "./FrameText.ts"

/** Returns when the stream has ended or the client has disconnected; by then the socket is closed. */
export const send = (socket: Socket.Socket, frames: Stream.Stream<Frame.Frame>): Effect.Effect<void> =>
  Effect.gen(function* () {
    // The handshake is answered once the socket is read.
    const reader = yield* socket.reader
    const writer = yield* socket.writer
    const sending = Stream.runForEach(frames, (frame) => writer.write(FrameText.fromFrame(frame, true)))
    yield* Effect.raceFirst(sending, Effect.forever(reader.pull))
  }).pipe(Effect.scoped, Effect.ignore)
