/**
 * Requirements of tools on the backends of their capabilities. If a backend is missing, no session has the tool, and a
 * call of it fails with the reason. Pure. adr/0119-tools-with-their-backends.md.
 */
import * as Capability from "./CapabilityClass.ts"
import type { Tool } from "./Declaration.ts"
import type { ToolContext } from "./ToolContext.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- holds tools of every name, schema and requirement
type AnyTool = Pick<Tool<string, any, any, any>, "capabilities" | "requires">

/** The parts of a requirement: the short name of a capability, and a feature of it; null: the capability as a whole. */
export const parse = (requirement: string): { readonly capability: string; readonly feature: string | null } => {
  const dot = requirement.indexOf(".")
  return dot === -1
    ? { capability: requirement, feature: null }
    : { capability: requirement.slice(0, dot), feature: requirement.slice(dot + 1) }
}

/**
 * Returns the reason why a session of this context cannot use the tool, as a clause with the fix; null: its
 * requirements are met.
 */
export const missing = (
  tool: AnyTool,
  context: ToolContext,
  known: ReadonlyMap<string, string> = new Map()
): string | null => {
  for (const requirement of tool.requires) {
    const reason = known.get(requirement) ?? missingIn(tool, context, requirement)
    if (reason !== null) return reason
  }
  return null
}

const missingIn = ({ capabilities }: AnyTool, context: ToolContext, requirement: string): string | null => {
  const { capability, feature } = parse(requirement)
  const declared = capabilities.find(({ key }) => Capability.shortName(key) === capability)
  const provided = declared === undefined ? undefined : context.capabilities.get(declared.key)
  if (provided === undefined) return `nothing here provides ${capability}`
  return feature === null || provided.lacks === undefined || !Object.hasOwn(provided.lacks, feature)
    ? null
    : provided.lacks[feature]
}
