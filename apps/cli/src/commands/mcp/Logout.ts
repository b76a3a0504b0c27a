/** `mcp logout`: forgets the login at a server. */
import { Login } from "@bough/mcp"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as LoginAt from "../../mcp/LoginAt.ts"
import type { Program } from "../../Program.ts"

const parameters = { server: Shapes.nameArgument("NAME", "Name of the server in the configuration") }

const logout = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { server: name }: CommandOptions<typeof parameters>
) {
  const was = yield* Login.logout(yield* LoginAt.find(program, common, name))
  program.output.note(was ? `logged out at ${name}` : `no login at ${name} was saved`)
})

export const command = declare({ parameters, run: logout })
