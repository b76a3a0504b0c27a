/** The process of the gateway, as a supervisor starts and ends it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { someOf, thorough } from "../../../test/thorough.ts"
import * as Gateway from "./Gateway.ts"

const program = fileURLToPath(new URL("../src/bin/bough-gateway.ts", import.meta.url))

/** Starts the program, sends it the signal once it listens, and returns its exit code. */
const exitCodeAfter = (signal: NodeJS.Signals) =>
  Effect.scoped(
    Effect.gen(function* () {
      const data = yield* Gateway.folder
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, ["--conditions", "development", program, "--data", data, "--port", "0"], {
            stdio: ["ignore", "pipe", "inherit"]
          })
        ),
        (child) => Effect.sync(() => void child.kill("SIGKILL"))
      )
      return yield* Effect.promise(async () => {
        const ended = once(child, "exit")
        child.stdout.on("data", (chunk) => String(chunk).includes("listens on") && child.kill(signal))
        const [code] = await ended
        return code
      })
    })
  )

describe("signals", () => {
  const signals = [
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGINT", code: 130 }
  ] as const

  it.live.each(someOf(signals, 1))(
    "$signal ends the gateway with exit code $code",
    ({ code, signal }) => Effect.map(exitCodeAfter(signal), (exitCode) => assert.strictEqual(exitCode, code)),
    thorough
  )
})
