/**
 * Runs the command of a hook: in the sandbox like the agent's commands, or as the operator if the operator's
 * configuration requires it.
 */
import { CommandInput, type Sandbox } from "@bough/sandbox"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Settings } from "../config/Settings.ts"
import type { Hook } from "./ConfiguredHooks.ts"
import * as HookOutput from "./HookOutput.ts"

const maxOutputLength = 64 * 1024

/** Returns the answer, or a clause with the reason why there is none. */
export const run = (
  sandbox: Sandbox.Sandbox,
  { workspace: { additionalDirectories, repositoryRoot: repository, root } }: Settings,
  { asOperator, command, folder, input, timeoutMillis }: Hook & { readonly input: unknown }
): Effect.Effect<HookOutput.HookReply | string> =>
  Effect.suspend(() => {
    const printed = { stdout: "", stderr: "" }
    const stdin = CommandInput.make()
    CommandInput.write(stdin, `${JSON.stringify(input)}\n`, true)
    return sandbox
      .service({ root, repository, additionalDirectories, writable: true })({
        argv: ["/bin/sh", "-c", command],
        ...(folder === null ? {} : { cwd: folder }),
        variables: {},
        limits: {},
        admit: null,
        isUnconfined: asOperator,
        input: stdin,
        onOutput: (stream, text) =>
          Effect.sync(() => {
            printed[stream] = (printed[stream] + text).slice(0, maxOutputLength)
          })
      })
      .pipe(Effect.timeoutOption(Duration.millis(timeoutMillis)), Effect.exit)
      .pipe(
        Effect.flatMap((exit) => {
          if (Exit.hasInterrupts(exit)) return Effect.interrupt
          if (Exit.isFailure(exit)) return Effect.succeed(`could not run: ${messageOf(Cause.squash(exit.cause))}`)
          return Effect.succeed(
            Option.match(exit.value, {
              onNone: () => `did not end within ${timeoutMillis / 1000} s`,
              onSome: ({ exitCode }) => HookOutput.read({ exitCode, ...printed })
            })
          )
        })
      )
  })

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
