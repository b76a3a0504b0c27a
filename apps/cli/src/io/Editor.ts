/** Opens one file in the user's own editor, `$VISUAL` or `$EDITOR`. */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import type { Program } from "../Program.ts"
import { failed, type CliFailure, usage } from "../CliFailure.ts"

/** Returns the editor command. `otherwise`: what the user can do without an editor. */
export const find = ({ environment: { variables } }: Program, otherwise: string): Effect.Effect<string, CliFailure> =>
  Effect.suspend(() => {
    const editor = variables["VISUAL"] || variables["EDITOR"]
    return editor ? Effect.succeed(editor) : usage("no editor is configured", `set VISUAL or EDITOR, or ${otherwise}`)
  })

/**
 * The variable may contain arguments after the editor's name, split as a shell does. Meanwhile the editor handles Ctrl-C.
 */
export const open = ({ signals }: Program, editor: string, file: string): Effect.Effect<void, CliFailure> =>
  Effect.callback<void, CliFailure>((resume) => {
    const release = signals.duringWork(() => {})
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" })
    const end = (problem: string | null): void => {
      release()
      const hint = "nothing was saved; VISUAL or EDITOR sets the editor"
      resume(problem === null ? Effect.void : Effect.fail(failed(`${editor}: ${problem}`, hint)))
    }
    child.on("error", ({ message }) => end(message))
    child.on("exit", (code, signal) => end(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`))
  })
