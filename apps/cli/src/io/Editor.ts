/** Opens one file in the user's own editor. */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { failure, type CliFailure, usage } from "../CliFailure.ts"
import type { Program } from "../Program.ts"
import * as EditorSearch from "./EditorSearch.ts"

/**
 * Returns the editor command. `workspace`: the real path of the directory in which the agent works; `otherwise`: what
 * the user can do without an editor.
 */
export const find = (
  { environment: { variables } }: Program,
  workspace: string,
  otherwise: string
): Effect.Effect<string, CliFailure> =>
  Effect.flatMap(EditorSearch.find({ variables, workspace }), (editor) =>
    editor === null ? usage("no editor is found", `set VISUAL or EDITOR, or ${otherwise}`) : Effect.succeed(editor)
  )

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
      resume(problem === null ? Effect.void : Effect.fail(failure(`${editor}: ${problem}`, hint)))
    }
    child.on("error", ({ message }) => end(message))
    child.on("exit", (code, signal) => end(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`))
  })
