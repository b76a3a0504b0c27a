/** The person's own editor, `$VISUAL` or `$EDITOR`, on one file. */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import type { Program } from "../Program.ts"
import { failed, type CliFailure, usage } from "../CliFailure.ts"

/** The command that opens it. `otherwise`: what the person can do without one. */
export const find = ({ environment: { variables } }: Program, otherwise: string): Effect.Effect<string, CliFailure> =>
  Effect.suspend(() => {
    const editor = variables["VISUAL"] || variables["EDITOR"]
    return editor ? Effect.succeed(editor) : usage("no editor is configured", `set VISUAL or EDITOR, or ${otherwise}`)
  })

/** Its own words may stand behind the editor's name, as a shell reads them. Ctrl-C meanwhile is the editor's. */
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
