/** The rules of .gitignore that apply in a directory. */
import * as Effect from "effect/Effect"
import * as Directories from "./Directories.ts"
import * as IgnoreRules from "./IgnoreRules.ts"
import * as Nodes from "./Nodes.ts"
import * as ReadContent from "./ReadContent.ts"

export interface RulesOptions {
  readonly rulesAbove: ReadonlyArray<IgnoreRules.RuleFile>
  /** The names from the top of the repository down to the root. */
  readonly inner: ReadonlyArray<string>
  readonly ownerUid: number
}

const maxBytes = 256 * 1024

/** Reads the rules again. True: they changed, and all entries below have to be examined again. */
export const readRules = Effect.fnUntraced(function* (
  { inner, ownerUid, rulesAbove }: RulesOptions,
  node: Nodes.DirectoryNode,
  directory: Directories.Directory
): Effect.fn.Return<boolean> {
  const above = node.parent?.rules ?? rulesAbove
  const path = `${directory.prefix}.gitignore`
  const found =
    Directories.statsOf(path)?.isFile() === true ? yield* ReadContent.read(path, { maxBytes, ownerUid }) : null
  const ownRules =
    found?.kind === "content" ? IgnoreRules.parse([...inner, ...Nodes.segmentsOf(node)], found.content) : null
  const rules = ownRules === null ? above : [...above, ownRules]
  const isSame = rules === node.rules || (ownRules !== null && JSON.stringify(rules) === JSON.stringify(node.rules))
  if (!isSame) node.rules = rules
  return !isSame
})
