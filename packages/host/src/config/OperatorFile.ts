/** The operator's own files: the configuration, and the instructions for every session. */
import { SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { failed, type HostFailure, invalid } from "../HostFailure.ts"
import { reader } from "./ConfigReader.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"
import * as Home from "./Home.ts"

type Environment = Home.HomeEnvironment

/** Reads the configuration; a missing file is an empty one. */
export const load = Effect.fnUntraced(function* (environment: Environment) {
  const path = Home.configFile(environment)
  const text = yield* readText(path, environment)
  if (text === null) return {} satisfies ConfigSchema.User
  const { read, schema } = yield* reader
  const source = { name: Home.displayPath(path, environment.home), text }
  return yield* read(source, { schema: schema.User, variables: environment.variables, operatorSchema: null })
})

/** Reads the instructions; a missing or empty file has none. */
export const instructions = Effect.fnUntraced(function* (
  environment: Environment
): Effect.fn.Return<ReadonlyArray<Agent.Instruction>, HostFailure> {
  const path = join(Home.configDirectory(environment), "AGENTS.md")
  const text = yield* readText(path, environment)
  return text === null || text.trim() === "" ? [] : [{ source: Home.displayPath(path, environment.home), text }]
})

/** Returns the text of a file; null: it does not exist. Fails if it cannot be read. */
const readText = (path: string, { home }: Environment): Effect.Effect<string | null, HostFailure> =>
  Effect.try({
    try: () => SmallFile.read(path),
    catch: (cause) => {
      const name = Home.displayPath(path, home)
      return failed(`cannot read ${name}: ${SystemError.reason(cause)}`, "make it readable, or move it away", cause)
    }
  })

/** Fails if the configuration runs commands outside of a sandbox, for programs with other users than the operator. */
export const checkConfinement = ({
  approve,
  sandbox
}: Pick<ConfigSchema.User, "approve" | "sandbox">): Effect.Effect<void, HostFailure> => {
  if (sandbox === "host") {
    return Effect.fail(
      invalid(
        "sandbox: host would give every user the rights of the server",
        'set "bubblewrap", "session", "seatbelt" or "disabled"'
      )
    )
  }
  return approve === "commands"
    ? Effect.fail(
        invalid("approve: commands would give every user the rights of the server", 'set "ask", "deny" or "allow"')
      )
    : Effect.void
}
