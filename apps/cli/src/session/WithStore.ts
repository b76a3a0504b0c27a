/** Runs with the user's store; no project file is read. */
import type { Stores } from "@bough/host/AgentHost"
import * as Home from "@bough/host/config/Home"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CliFailure } from "../CliFailure.ts"
import { type Failure, toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"

export const withStore = <A>(
  program: Program,
  work: Effect.Effect<A, Failure | CliFailure, Stores | Scope.Scope>
): Effect.Effect<A, CliFailure> =>
  work.pipe(
    Effect.scoped,
    Effect.provide(program.adapters.store(Home.dataDirectory(program.environment))),
    Effect.mapError(toCliFailure)
  )
