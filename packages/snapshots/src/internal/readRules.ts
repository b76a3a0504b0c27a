/** The rules of .gitignore that apply in a directory. */
import * as IgnoreRules from "@bough/disk/IgnoreRules"
import * as Effect from "effect/Effect"
import * as Directories from "./Directories.ts"
import type * as IndexTotals from "./IndexTotals.ts"
import * as Nodes from "./Nodes.ts"
import * as ReadContent from "./ReadContent.ts"

export interface RulesOptions {
  readonly rulesAbove: ReadonlyArray<IgnoreRules.RuleFile>
  /** The names from the top of the repository down to the root. */
  readonly inner: ReadonlyArray<string>
  readonly ownerUid: number
  readonly totals: Pick<IndexTotals.IndexTotals, "addRules">
}

/** Reads the rules again. True: they changed, and all entries below have to be examined again. */
export const readRules = Effect.fnUntraced(function* (
  { inner, ownerUid, rulesAbove, totals }: RulesOptions,
  node: Nodes.DirectoryNode,
  directory: Directories.Directory
): Effect.fn.Return<boolean> {
  const above = node.parent?.rules ?? rulesAbove
  const path = `${directory.prefix}.gitignore`
  // Git does not read the rules in a directory that it ignores.
  const isRead = node.ignored === null && Directories.statsOf(path)?.isFile() === true
  const found = isRead ? yield* ReadContent.read(path, { maxBytes: IgnoreRules.maxBytes, ownerUid }) : null
  const own = found?.kind === "content" ? IgnoreRules.parse([...inner, ...Nodes.segmentsOf(node)], found.content) : null
  if (isSame(node, above, own)) return false
  const bytes = own?.bytes ?? 0
  totals.addRules(bytes - node.ruleBytes)
  node.ruleBytes = bytes
  node.rules = own === null ? above : [...above, own]
  return true
})

/** True if the directory has the same rules above it, and the same text of its own. */
const isSame = (
  { ruleBytes, rules }: Nodes.DirectoryNode,
  above: ReadonlyArray<IgnoreRules.RuleFile>,
  own: IgnoreRules.RuleFile | null
): boolean =>
  own === null
    ? ruleBytes === 0 && rules === above
    : rules.length === above.length + 1 &&
      rules.at(-1)?.digest === own.digest &&
      above.every((file, at) => rules[at] === file)
