/**
 * Runs code that a tool's handler calls and that is not the tool's own, in a fiber of its own. An error that this code
 * leaves behind in a timer or a promise is not a bug of the tool.
 */
import { HandlerOrigin } from "@bough/tool"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

export const runOutside = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber(({ context }) => {
    const fiber = HandlerOrigin.runOutside(() => Effect.runForkWith(context as Context.Context<R>)(effect))
    return fiber.pollUnsafe() ?? Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
  })
