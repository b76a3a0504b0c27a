/** A process that owns a tree of the storm, and ends at signals. */
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { type Order, work } from "./work.ts"

const order = JSON.parse(process.argv[2]) as Order

let leaving = false
const running = Effect.runFork(
  Effect.provide(
    work(order, () => leaving),
    SessionStoreSql.layer({ directory: order.home })
  )
)
running.addObserver((exit) => {
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause))
    process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
})
const stop = () => void Effect.runFork(Fiber.interrupt(running))
process.on("SIGTERM", () => {
  leaving = true
  stop()
})
process.on("SIGINT", stop)
