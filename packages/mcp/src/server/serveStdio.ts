/** Serves an offer over standard streams until the client closes them. */
import * as Effect from "effect/Effect"
import type { Readable, Writable } from "node:stream"
import type { ServerOffer } from "./Offer.ts"
import * as sdk from "./sdk.ts"
import * as ToolServer from "./ToolServer.ts"

export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
}

export const serveStdio = (offer: ServerOffer, { stdin, stdout }: Streams): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const transport = new sdk.StdioServerTransport(stdin, stdout)
    const close = () => resume(Effect.void)
    stdin.once("end", close).once("close", close)
    void ToolServer.connect(offer, transport, close)
    return Effect.promise(() => transport.close())
  })
