/** Tools that are sound until a call of a capability fails, or their process is killed there, midway through their work. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as net from "node:net"
import { Tool } from "../../src/index.ts"
import { done, type Exhibit, exhibit, leaks, Table, TableRead, writing } from "./zoo.ts"

const both = { ...writing, capabilities: [Table, TableRead] } as const
const repeatable = { ...both, replay: "Idempotent" } as const

const failing = (fault: RegExp, tool: Tool.Any): Exhibit => exhibit("failures at every call are answered", fault, tool)
const killed = (fault: RegExp, tool: Tool.Any): Exhibit => exhibit("kills at every call are recovered", fault, tool)

/** Adds the row and its entry in the index. */
const addBoth = (row: string) => Effect.flatMap(Table, ({ add }) => Effect.andThen(add(row), add(`index of ${row}`)))

const hasRow = (row: string) => Effect.flatMap(TableRead, ({ has }) => has(row))
const foundIf = (exists: boolean) => (exists ? done : null)

export const disturbances: Readonly<Record<string, Exhibit>> = {
  "a death where its second call fails": failing(
    /dies where Table\.add, call 2 of 2, fails/u,
    Tool.make("t", {
      ...both,
      replay: "Unsafe",
      execute: Effect.fnUntraced(function* ({ row }) {
        yield* hasRow(row)
        yield* Effect.orDie(Effect.flatMap(Table, ({ add }) => add(row)))
        return done
      })
    })
  ),
  "a success that is claimed although the write failed": failing(
    /Table\.add, call 2 of 2, fails, it returns the result of a complete effect/u,
    Tool.make("t", {
      ...both,
      replay: "Unsafe",
      execute: Effect.fnUntraced(function* ({ row }) {
        const { add } = yield* Table
        yield* add(row)
        yield* Effect.ignore(add(`index of ${row}`))
        return done
      })
    })
  ),
  "a server that only success closes": failing(
    /Table\.add, call 2 of 2, fails, it still holds: 1 of TCPServerWrap/u,
    Tool.make("t", {
      ...both,
      replay: "Unsafe",
      execute: Effect.fnUntraced(function* ({ row }) {
        yield* hasRow(row)
        const server = net.createServer().listen(0, "127.0.0.1")
        leaks.push(() => server.close())
        yield* Effect.promise(() => new Promise((resolve) => server.once("listening", resolve)))
        yield* Effect.flatMap(Table, ({ add }) => add(row))
        yield* Effect.promise(() => new Promise((resolve) => server.close(resolve)))
        return done
      })
    })
  ),
  "a second writer that goes on after the first has failed": failing(
    /Table\.add, call 1 of 2, fails, it goes on and calls Table\.add/u,
    Tool.make("t", {
      ...writing,
      replay: "Unsafe",
      execute: Effect.fnUntraced(function* ({ row }) {
        const { add } = yield* Table
        const later = Effect.andThen(
          Effect.promise(() => new Promise((next) => void setImmediate(next))),
          add("later")
        )
        const second = yield* Effect.forkDetach(later)
        yield* add(row)
        yield* Fiber.join(second)
        return done
      })
    })
  ),
  "an error for a time limit of a capability that none of the four is": exhibit(
    "failures are one of the four errors",
    /dies where a capability fails with Timeout/u,
    Tool.make("t", {
      ...writing,
      replay: "Unsafe",
      execute: ({ row }) =>
        Effect.flatMap(Table, ({ add }) => add(row) as Effect.Effect<void, ToolError.ToolError>).pipe(
          Effect.catchTag("Timeout", ({ elapsedMillis }) => Effect.die(`slow: ${elapsedMillis}`)),
          Effect.as(done)
        )
    })
  ),
  "a findExisting that looks at the first of two rows": killed(
    /killed after Table\.add, call 1 of 2, its findExisting reports a partial effect as complete: state/u,
    Tool.make("t", {
      ...repeatable,
      execute: ({ row }) => Effect.as(addBoth(row), done),
      findExisting: ({ row }) => Effect.map(hasRow(row), foundIf)
    })
  ),
  "a mark that is made before the effect": killed(
    /killed after Table\.add, call 1 of 2, its findExisting reports a partial effect/u,
    Tool.make("t", {
      ...repeatable,
      execute: ({ row }) =>
        Effect.as(
          Effect.flatMap(Table, ({ add }) => Effect.andThen(add("did it"), add(row))),
          done
        ),
      findExisting: () => Effect.map(hasRow("did it"), foundIf)
    })
  ),
  "a second run that adds the first row again": killed(
    /killed after Table\.add, call 1 of 2, a new run ends differently from an undisturbed run: state/u,
    Tool.make("t", {
      ...repeatable,
      execute: ({ row }) => Effect.as(addBoth(row), done),
      findExisting: ({ row }) => Effect.map(hasRow(`index of ${row}`), foundIf)
    })
  ),
  "a replacement that a kill leaves undone": killed(
    /killed after Table\.add, call 2 of 6, findExisting finds nothing and a new run fails: .*no row/u,
    Tool.make("t", {
      ...repeatable,
      execute: Effect.fnUntraced(function* ({ row }) {
        const { add, remove } = yield* Table
        if (!(yield* hasRow("begun"))) yield* Effect.andThen(add("begun"), add("old"))
        if (!(yield* hasRow("old"))) return yield* new ToolError.ExecutionError({ message: "no row to replace" })
        yield* remove("old")
        yield* add(`new ${row}`)
        return done
      }),
      findExisting: ({ row }) => Effect.map(hasRow(`new ${row}`), foundIf)
    })
  )
}

/** Runs of a tool that have begun and have not ended: in their place a real tool would have a clock. */
let unended = 0

/** Tools that survive each failure and each kill. */
export const steadfast: Readonly<Record<string, Tool.Any>> = {
  "does what a kill left undone": Tool.make("t", {
    ...repeatable,
    execute: Effect.fnUntraced(function* ({ row }) {
      const { add } = yield* Table
      for (const each of [row, `index of ${row}`]) if (!(yield* hasRow(each))) yield* add(each)
      return done
    }),
    findExisting: ({ row }) => Effect.map(hasRow(`index of ${row}`), foundIf)
  }),
  "reports that a part of its work failed": Tool.make("t", {
    ...both,
    replay: "Unsafe",
    execute: Effect.fnUntraced(function* ({ row }) {
      const { add } = yield* Table
      yield* add(row)
      const isIndexed = yield* Effect.isSuccess(add(`index of ${row}`))
      return { output: {}, display: isIndexed ? "Added" : "Added without an index" }
    })
  }),
  "notes a time that is the same in all runs before the first kill": Tool.make("t", {
    ...repeatable,
    execute: Effect.fnUntraced(function* ({ row }) {
      const { add } = yield* Table
      const time = unended++
      for (const each of [row, `at ${time}`]) if (!(yield* hasRow(each))) yield* add(each)
      unended -= 1
      return done
    })
  }),
  "stops its timer however it ends": Tool.make("t", {
    ...both,
    replay: "Unsafe",
    execute: ({ row }) =>
      Effect.acquireUseRelease(
        Effect.sync(() => setInterval(() => undefined, 60_000)),
        () => Effect.as(addBoth(row), done),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
  })
}
