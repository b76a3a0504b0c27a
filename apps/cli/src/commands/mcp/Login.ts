/** `mcp login`: the user's login at a server by OAuth. */
import { Login } from "@bough/mcp"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { failure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as LoginAt from "../../mcp/LoginAt.ts"
import type { Program } from "../../Program.ts"

const parameters = { server: Shapes.nameArgument("NAME", "Name of the server in the configuration") }

/** A user has this long in the browser. */
const timeoutMillis = 10 * 60 * 1000

const login = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { server: name }: CommandOptions<typeof parameters>
) {
  const { output } = program
  const at = yield* LoginAt.find(program, common, name)
  const show = (page: string): void => {
    output.note(`open this page in a browser on this machine to log in at ${name}:`)
    output.noteEscaped(text`  ${Escape.line(page)}`)
    output.note("waiting for the login; Ctrl-C cancels")
  }
  yield* Login.login({ ...at, show, fetch: (to, init) => globalThis.fetch(to, init) }).pipe(
    Effect.mapError(({ message }) => failure(`not logged in at ${name}: ${message}`, "")),
    Effect.timeoutOrElse({
      duration: timeoutMillis,
      orElse: () =>
        Effect.fail(failure(`not logged in at ${name}: no answer came in ten minutes`, "try to log in again"))
    })
  )
  output.note(`logged in at ${name}; "${program.name} mcp logout ${name}" forgets it`)
})

export const command = declare({ parameters, run: login })
