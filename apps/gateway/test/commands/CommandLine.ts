/** Runs command lines of `bough-gateway` within the test's process, on a folder of its own. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Commands from "../../src/commands/Commands.ts"

export interface CommandOutcome {
  readonly stdout: string
  readonly stderr: string
  /** The message of its failure; null if it succeeded. */
  readonly error: string | null
}

export const runIn = (dataDirectory: string) =>
  Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
    const lines = { stdout: [] as Array<string>, stderr: [] as Array<string> }
    const console: Console.Console = {
      ...globalThis.console,
      log: (...values: ReadonlyArray<unknown>) => void lines.stdout.push(values.join(" ")),
      error: (...values: ReadonlyArray<unknown>) => void lines.stderr.push(values.join(" "))
    }
    const run = Commands.run({
      dataDirectory,
      // @effect-diagnostics-next-line globalErrorInEffectFailure:off
      serve: ({ access, host, port }) => Effect.fail(new Error(`serve ${access.publicUrl ?? null} ${host}:${port}`))
    })
    const result = yield* Effect.result(run(args)).pipe(
      Effect.provideService(Console.Console, console),
      Effect.provide(NodeServices.layer)
    )
    const error = result._tag === "Success" ? null : (result.failure as Error).message
    return { stdout: lines.stdout.join("\n"), stderr: lines.stderr.join("\n"), error } satisfies CommandOutcome
  })
