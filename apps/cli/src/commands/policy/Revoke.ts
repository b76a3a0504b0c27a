/** `policy revoke`: revokes a rule that was added with an approval. */
import { SystemError } from "@bough/disk"
import * as SavedRules from "@bough/host/rules/SavedRules"
import * as IdPrefix from "@bough/host/session/IdPrefix"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { failure, type CliFailure, usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as ActiveRules from "../../policy/ActiveRules.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { id: Shapes.nameArgument("ID", "Rule id or its prefix, as listed by `policy list`") }

/** Rules are found by id; rules from a configuration file have none. */
const listing: IdPrefix.IdListing<ActiveRules.ActiveRule> = {
  idOf: ({ id }) => id ?? "",
  plural: "rules",
  lists: "ListRules"
}

const revoke = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { id }: CommandOptions<typeof parameters>
) {
  const { rules, settings } = yield* ActiveRules.all(program, common)
  const found = yield* IdPrefix.findUnique(id, rules, listing)
  if (found === null || found.id === null) {
    return yield* usage(
      `unknown rule ${id}`,
      `"${program.name} policy list" lists the rules; rules from a configuration file have no id: remove them in that file`
    )
  }
  yield* found.scope === "session"
    ? withStore(program, revokeInSession(program, found))
    : forget(program, settings.dataDirectory, found.id)
  program.output.note(`rule ${found.id} is revoked: ${found.rule}`)
})

/**
 * A process that has the session open applies the revocation within a second; other processes apply it when they open
 * the session.
 */
const revokeInSession = Effect.fnUntraced(function* (
  { environment }: Program,
  { origin, rule }: ActiveRules.ActiveRule
) {
  const store = yield* SessionStore.SessionStore
  const { treeId } = yield* store.session(origin)
  yield* store.submit({
    treeId,
    dedupeKey: `revoke:${randomUUID()}`,
    command: { _tag: "RevokeRule", rule },
    principal: environment.user ?? "terminal"
  })
})

const forget = ({ name }: Program, dataDirectory: string, id: string): Effect.Effect<void, CliFailure> =>
  Effect.try({
    try: () => SavedRules.remove(dataDirectory, id),
    catch: (cause) => failure(`cannot revoke ${id}: ${SystemError.reason(cause)}`, `run "${name} doctor"`, cause)
  })

export const command = declare({ parameters, run: revoke })
