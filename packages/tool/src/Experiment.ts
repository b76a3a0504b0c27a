/**
 * Two concurrent versions of a tool, split by session tree: all sessions of a tree have the same version, also after a
 * restart. Each receipt names the version that ran: adr/0123-versions-side-by-side.md.
 */
import { Canonical } from "@bough/protocol"
import { checkArguments } from "./checkArguments.ts"
import * as Expected from "./Expected.ts"
import { isTool } from "./internal/argument.ts"
import type * as Tool from "./Tool.ts"

/** Made by `make`. `share` is the fraction of trees that have version `b`, from 0 to 1. */
export interface Experiment {
  readonly name: string
  readonly a: Tool.Any
  readonly b: Tool.Any
  readonly share: number
}

/** Throws if the two tools have different names, capabilities or tiers, or the same version. */
export const make = (a: Tool.Any, b: Tool.Any, options: { readonly share?: number } = {}): Experiment => {
  for (const [index, tool] of [a, b].entries()) {
    if (isTool(tool)) continue
    const needed = `argument ${index + 1} must be a tool of Tool.make or Tool.fromAsync${Expected.typeText(tool)}`
    throw new TypeError(`Experiment.make: ${needed}; write the two versions as in Experiment.make(version1, version2)`)
  }
  if (typeof options !== "object" || (options as unknown) === null) {
    throw new TypeError(
      `Experiment.make: argument 3 must be options, as in { share: 0.1 }${Expected.typeText(options)}`
    )
  }
  const { share = 0.5 } = options
  const wrong = faultOf(a, b, share)
  if (wrong !== null) throw new Error(`the experiment on ${a.name}: ${wrong}`)
  return { name: a.name, a, b, share }
}

const faultOf = (a: Tool.Any, b: Tool.Any, share: number): string | null => {
  if (a.name !== b.name) return `its tools have different names, ${a.name} and ${b.name}`
  if (a.version === b.version) return `both have version ${a.version}; results could not be told apart`
  if (!(share >= 0 && share <= 1)) return `share must be from 0 to 1 (it is ${share})`
  // Session kinds were only checked for the capabilities of `a`, so those of `b` must be equal.
  const addedCapabilities = b.capabilities.filter((needed) => !a.capabilities.includes(needed))
  if (addedCapabilities.length > 0) {
    return `version ${b.version} needs ${addedCapabilities.map(({ key }) => key).join(", ")}, which version ${a.version} does not`
  }
  return a.tier === b.tier ? null : `its tools have different tiers, ${a.tier} and ${b.tier}`
}

const experiment = Expected.object("an experiment of Experiment.make", { a: Expected.tool, b: Expected.tool })

/** Returns the version of a tree, which depends only on tree, name and share. */
export const assigned = checkArguments(
  "Experiment.assigned",
  [experiment, Expected.string],
  ({ a, b, name, share }: Experiment, treeId: string): Tool.Any => (portionOf(name, treeId) < share ? b : a)
)

/** A number from 0 up to 1, evenly distributed over trees. */
const portionOf = (name: string, treeId: string): number =>
  Number.parseInt(Canonical.digest(JSON.stringify([name, treeId])).slice("sha256:".length, "sha256:".length + 12), 16) /
  2 ** 48

/** Returns the tool of a recorded version; null: neither has that version. */
export const ofVersion = checkArguments(
  "Experiment.ofVersion",
  [experiment],
  ({ a, b }: Experiment, version: number): Tool.Any | null =>
    a.version === version ? a : b.version === version ? b : null
)
