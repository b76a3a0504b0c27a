/** Counts the open streams of each token in this process, over all protocols, and limits their number. */
import { Limits } from "@bough/gateway-api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

/** The token has as many open streams as it may have. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {}) {
  override get message(): string {
    return `the token has ${Limits.limits.streamsPerToken} open streams; end one of them`
  }
}

export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /** Counts a stream until the scope closes: the scope of a request closes once its response was sent or cut. */
    readonly take: (tokenId: string) => Effect.Effect<void, TooManyStreams, Scope.Scope>
    readonly count: () => number
  }
>()("@bough/gateway/OpenStreams") {}

export const layer = Layer.sync(OpenStreams, () => {
  const open = new Map<string, number>()
  return OpenStreams.of({
    take: (tokenId) =>
      Effect.acquireRelease(
        // Checked and counted at once: if two requests compete for the last stream, only one gets it.
        Effect.suspend(() => {
          const streamCount = open.get(tokenId) ?? 0
          if (streamCount >= Limits.limits.streamsPerToken) return Effect.fail(new TooManyStreams())
          open.set(tokenId, streamCount + 1)
          return Effect.void
        }),
        () =>
          Effect.sync(() => {
            const remaining = (open.get(tokenId) ?? 1) - 1
            if (remaining === 0) open.delete(tokenId)
            else open.set(tokenId, remaining)
          })
      ),
    count: () => Array.from(open.values()).reduce((sum, streams) => sum + streams, 0)
  })
})
