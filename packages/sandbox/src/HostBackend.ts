/** Runs commands with the rights of the program, outside of any sandbox. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Sandbox, Session } from "./Backend.ts"
import * as CommandService from "./CommandService.ts"
import * as Environment from "./Environment.ts"
import { execution } from "./internal/execution.ts"
import { preconditions } from "./preconditions.ts"
import * as SandboxReport from "./SandboxReport.ts"
import type * as ServiceProgram from "./ServiceProgram.ts"
import type { Settings } from "./Settings.ts"

export const make = (settings: Settings, environment: Environment.HostVariables): Sandbox => {
  const variables = Environment.unconfinedVariables(environment, settings.environmentKeys)
  const options = { variables, maxOutputBytes: settings.maxOutputBytes }
  return {
    report: Effect.succeed(SandboxReport.fromChecks("host", [], "")),
    provided: (session) => ({
      make: CommandService.make(
        Effect.fnUntraced(function* (request) {
          const { HostExecution, SandboxSetup } = yield* execution
          const { roots, start } = yield* SandboxSetup.rootsOf(session)
          return yield* HostExecution.run(options, { start, roots: roots.map(({ path }) => path) }, request)
        }),
        session.vault === undefined ? {} : { vault: session.vault }
      ),
      reach: "Host",
      preconditions: preconditions({ backend: "host", root: session.root }, variables)
    }),
    service: (session) => serve(options, session)
  }
}

export type HostOptions = Pick<Settings, "maxOutputBytes"> & { readonly variables: Environment.Variables }

export const serve = (options: HostOptions, session: Session): ServiceProgram.RunService<ToolError.ToolError> =>
  Effect.fnUntraced(function* ({ argv, cwd, input, onOutput, variables }) {
    const { HostExecution, SandboxSetup } = yield* execution
    const { roots, start } = yield* SandboxSetup.rootsOf(session)
    return yield* HostExecution.run(
      { ...options, variables: { ...options.variables, ...variables } },
      { start, roots: roots.map(({ path }) => path) },
      { invoke: { argv }, options: { ...(cwd === undefined ? {} : { cwd }), onOutput }, input }
    )
  })
