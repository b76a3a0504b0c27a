/** Errors that no code catches, for tests of code that leaves work behind. */
import * as Effect from "effect/Effect"
import { HandlerOrigin } from "../packages/tool/src/index.ts"

/** Runs the effect, and returns each error that no code caught with the tool that it came from. */
export const uncaught = <E>(run: Effect.Effect<unknown, E>, count: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const others = (["uncaughtException", "unhandledRejection"] as const).map(
        (event) => [event, process.listeners(event as "exit")] as const
      )
      for (const [event] of others) process.removeAllListeners(event)
      const seen: Array<string> = []
      const all = Promise.withResolvers<void>()
      process.on("uncaughtException", (error) => {
        seen.push(`${HandlerOrigin.current()}: ${error.message}`)
        if (seen.length === count) all.resolve()
      })
      return { others, seen, all }
    }),
    ({ all, seen }) =>
      run.pipe(
        Effect.andThen(Effect.promise(() => all.promise)),
        Effect.map(() => seen.toSorted())
      ),
    ({ others }) =>
      Effect.sync(() => {
        for (const [event, listeners] of others) {
          process.removeAllListeners(event)
          for (const listener of listeners) process.on(event, listener)
        }
      })
  )
