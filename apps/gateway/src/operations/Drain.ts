/** The orderly end of the process: requests are refused with a retry hint, and streams get a Resume frame. */
import { Problem } from "@bough/gateway-api"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerResponse } from "node:http"

export class Drain extends Context.Service<
  Drain,
  {
    readonly isDraining: () => boolean
    readonly begin: Effect.Effect<void>
    /** Returns once the drain has begun. */
    readonly hasStarted: Effect.Effect<void>
    /** Counts a request until its response is closed. */
    readonly watch: (response: Pick<ServerResponse, "once">) => void
    /** Returns once no request is open, or the time for open requests is over. */
    readonly finished: Effect.Effect<void>
    readonly problem: Problem.Unavailable
  }
>()("@bough/gateway/Drain") {}

const retryAfterSeconds = 5

/** The time that open requests have to end. Supervisors kill a process 10 seconds after SIGTERM. */
const finishesWithin = "5 seconds"

export const layer: Layer.Layer<Drain> = Layer.sync(Drain, () => {
  const started = Deferred.makeUnsafe<void>()
  const idle = Deferred.makeUnsafe<void>()
  let draining = false
  let open = 0
  const checkIdle = (): void => {
    if (draining && open === 0) Deferred.doneUnsafe(idle, Effect.void)
  }
  return {
    isDraining: () => draining,
    begin: Effect.sync(() => {
      draining = true
      Deferred.doneUnsafe(started, Effect.void)
      checkIdle()
    }),
    hasStarted: Deferred.await(started),
    watch: (response) => {
      open += 1
      response.once("close", () => {
        open -= 1
        checkIdle()
      })
    },
    finished: Effect.asVoid(Effect.timeoutOption(Deferred.await(idle), finishesWithin)),
    problem: new Problem.Unavailable({ code: "draining", retryAfterSeconds, detail: "the server ends" })
  }
})
