/** The settings of a session, which keeps its agent and its model when it continues. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as ContinuedSession from "@bough/host/session/ContinuedSession"
import type * as FindSession from "@bough/host/session/FindSession"
import * as Effect from "effect/Effect"
import type { Program } from "../Program.ts"
import { withStore } from "./WithStore.ts"

type Overrides = SettingsFile.SettingsOverrides & FindSession.SessionTarget

/** Loads the settings; an agent and a model that the user names take precedence over those of the session. */
export const load = Effect.fnUntraced(function* (
  program: Program,
  overrides: Overrides,
  ask: Parameters<typeof SettingsFile.load>[2]
) {
  const kept = overrides.session === null && !overrides.continue ? {} : yield* keptBy(program, overrides)
  return yield* SettingsFile.load(program.environment, { ...overrides, ...kept }, ask)
})

const keptBy = Effect.fnUntraced(function* (program: Program, overrides: Overrides) {
  const { agent = null, cwd } = overrides
  const root = yield* SettingsFile.workspaceRoot(program.environment, cwd)
  const session = yield* withStore(program, ContinuedSession.read(overrides, root, agent))
  return session === null ? {} : toOverrides(program, session, agent)
})

/** Returns the values that a session keeps. The app's own agent has no definition, so its name is left out. */
export const toOverrides = (
  { name }: Pick<Program, "name">,
  { agent, model }: ContinuedSession.ContinuedSession,
  chosenAgent: string | null
): Pick<SettingsFile.SettingsOverrides, "agent" | "continuedModel"> => ({
  agent: chosenAgent ?? (agent === name ? null : agent),
  continuedModel: model
})
