/** The server of any provider on loopback, in its own dialect, for the built program. */
import * as Effect from "effect/Effect"
import * as ChatServer from "../../../../packages/models/test/ChatServer.ts"
import type { Dialect } from "../../../../packages/models/test/wire/Dialect.ts"
import * as Wire from "../../../../packages/models/test/wire/Wire.ts"

export interface ProviderServer {
  /** The variables with the server's address and key. */
  readonly env: Readonly<Record<string, string>>
  readonly received: ReadonlyArray<ChatServer.Received>
}

/** Answers the requests in order; additional ones get the last answer again. */
export const withProvider = <A>(
  dialect: Dialect,
  script: ReadonlyArray<Wire.Answerable>,
  use: (server: ProviderServer) => Promise<A>
): Promise<A> =>
  ChatServer.start(Wire.inTurn(dialect, script)).pipe(
    Effect.flatMap(({ baseUrl, received }) =>
      Effect.promise(() => use({ env: dialect.environment(new URL(baseUrl).origin, Wire.key), received }))
    ),
    Effect.scoped,
    Effect.runPromise
  )
