/** Opens a text in the user's editor, in a temporary file that only the user can read. */
import { SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CliFailure, failure } from "../CliFailure.ts"
import type { Program } from "../Program.ts"
import * as Editor from "./Editor.ts"

/** Returns the edited text, without the line feed that editors add at the end of a file. */
export const edit = (program: Program, workspace: string, text: string): Effect.Effect<string, CliFailure> =>
  Effect.gen(function* () {
    const editor = yield* Editor.find(program, workspace, "write the message here")
    return yield* Effect.acquireUseRelease(
      attempt("write", () => {
        const folder = mkdtempSync(join(tmpdir(), "bough-message-"))
        writeFileSync(join(folder, "message.md"), text, { flag: "wx", mode: 0o600 })
        return folder
      }),
      (folder) => {
        const file = join(folder, "message.md")
        const read = attempt("read", () => readFileSync(file, "utf8").replace(/\n$/u, ""))
        return Effect.andThen(Editor.open(program, editor, file), read)
      },
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
  })

const attempt = <A>(purpose: string, work: () => A): Effect.Effect<A, CliFailure> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      failure(
        `cannot ${purpose} the message for the editor: ${SystemError.reason(cause)}`,
        "the message is unchanged",
        cause
      )
  })
