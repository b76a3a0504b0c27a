/** Refuses commands that only a user may give when an agent's command gives them. */
import * as Home from "@bough/host/config/Home"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { CliFailure, exitCode } from "../CliFailure.ts"
import type { Program } from "../Program.ts"
import * as Lineage from "./Lineage.ts"

/** `action` completes the sentence "commands of an agent cannot …". */
export const refuseAgents = ({ environment }: Program, action: string): Effect.Effect<void, CliFailure> =>
  Effect.suspend(() => {
    const database = join(Home.dataDirectory(environment), "bough.db")
    return Lineage.isRunByAgent({ parent: process.ppid, variables: environment.variables, database })
      ? Effect.fail(
          new CliFailure({
            code: exitCode.needsApproval,
            message: `commands of an agent cannot ${action}`,
            hint: "run it in your own terminal",
            details: ""
          })
        )
      : Effect.void
  })
