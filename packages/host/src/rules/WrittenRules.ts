/** Rules as their authors wrote them, with their source. They are parsed once the tools of the session are known. */
import { registries } from "@bough/network/proxy/Registries"
import type * as ConfigSchema from "../config/ConfigSchema.ts"

/** A rule with its source and its examples, which are checked before the rule is used. */
export interface RuleSource {
  readonly effect: "allow" | "ask" | "deny"
  readonly text: string
  readonly from: string
  /** The folder of the file that holds the rule; null: the rule applies in every folder. */
  readonly folder: string | null
  readonly match: ReadonlyArray<string>
  readonly notMatch: ReadonlyArray<string>
}

/** The origin of rules: its name for the user, and the folder from which their relative paths count. */
export type RuleOrigin = Pick<RuleSource, "from" | "folder">

/** Marks rules with their source. */
export const toWrittenRules = (
  rules: { readonly [E in RuleSource["effect"]]?: ReadonlyArray<ConfigSchema.Rule> },
  { folder, from }: RuleOrigin
): ReadonlyArray<RuleSource> =>
  (["deny", "ask", "allow"] as const).flatMap((effect) =>
    (rules[effect] ?? []).map((rule): RuleSource => {
      const { rule: text, match = [], notMatch = [] } = typeof rule === "string" ? { rule } : rule
      return { effect, text, from, folder, match, notMatch }
    })
  )

/** Makes the allow rules of the hosts that the operator opens to commands. */
export const openedHosts = ({ network }: Pick<ConfigSchema.User, "network">): ReadonlyArray<string> => {
  const { hosts = [], registries: named = [] } = network?.commands ?? {}
  const all = new Set([...named.flatMap((name): ReadonlyArray<string> => registries[name]), ...hosts])
  return [...all].map((host) => `run_command host=${JSON.stringify(host)}`)
}
