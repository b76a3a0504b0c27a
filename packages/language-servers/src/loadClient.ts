/** Loads the client of language servers, with the first server: sessions without questions to servers do without it. */
import * as Effect from "effect/Effect"

type Client = typeof import("./client/client.ts")

export const loadClient: Effect.Effect<Client> = Effect.promise(() => import("./client/client.ts"))
