/** Commands for sessions: the operator's backend as a capability, with a report of the tests of the sandbox. */
import * as Effect from "effect/Effect"
import { refused, type Sandbox } from "./Backend.ts"
import * as CommandService from "./CommandService.ts"
import * as ConfinedBackend from "./ConfinedBackend.ts"
import type * as Environment from "./Environment.ts"
import * as HostBackend from "./HostBackend.ts"
import type * as Proxy from "./Proxy.ts"
import { type Settings, withDefaults } from "./Settings.ts"
import type { TrialCache } from "./TrialCache.ts"

export type { Sandbox, Session } from "./Backend.ts"

/** The parts of a sandbox that are not the operator's settings. */
export interface Outside {
  /** The network for commands of sessions that may send; null: they have no network. */
  readonly proxy?: Proxy.Proxy | null
  /** The cache of earlier results; null: every property is tested again. */
  readonly tried?: TrialCache | null
}

/** `environment` is the operator's own; commands see only its PATH, locale and the variables that the settings name. */
export const make = (
  settings: Partial<Settings>,
  environment: Environment.HostVariables,
  { proxy = null, tried = null }: Outside = {}
): Effect.Effect<Sandbox> => {
  const chosen = withDefaults(settings)
  switch (chosen.backend) {
    case "bubblewrap":
    case "session":
    case "seatbelt":
      return ConfinedBackend.make(chosen, environment, { proxy, tried })
    case "host":
      return Effect.succeed(HostBackend.make(chosen, environment))
    case "disabled":
      return Effect.succeed(disabled)
  }
}

const off = "commands are switched off by the operator's configuration"
const disabled: Sandbox = {
  report: Effect.succeed({ available: false, backend: "disabled", checks: [], missing: ["commands"], hint: off }),
  provided: () => ({ make: CommandService.make(() => refused(off)), reach: "Confined", preconditions: [] }),
  service: () => () => refused(off)
}
