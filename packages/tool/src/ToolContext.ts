/**
 * The capabilities of one session, each with the function that makes its service for a call. A handler cannot reach a
 * capability that is missing here, even if its tool declares it.
 */
import type { Session } from "@bough/protocol"
import * as Capability from "./CapabilityClass.ts"
import type * as Tool from "./Declaration.ts"
import type { ProvidedService, Provision } from "./Provided.ts"

export type {
  AdmitHost,
  Bounds,
  CommandHost,
  JudgedPaths,
  Mark,
  Passage,
  ProvidedService,
  WithheldLocations,
  WithheldPath,
  WrittenFiles
} from "./Provided.ts"

export interface ToolContext {
  readonly kind: Session.Kind
  // oxlint-disable-next-line typescript/no-explicit-any -- each key's service is its own; `provide` ties the two
  readonly capabilities: ReadonlyMap<string, ProvidedService<any>>
}

/** The context of a session without capabilities. */
export const empty = (kind: Session.Kind): ToolContext => ({ kind, capabilities: new Map() })

/** A confined service that is the same for every call. */
export const constant = <Service>(service: Service): ProvidedService<Service> => ({
  make: () => service,
  reach: "Confined",
  preconditions: []
})

/** Adds a capability to the context. */
export const provide = <Key extends Capability.Any>(
  context: ToolContext,
  capability: Key,
  provided: ProvidedService<Key["Service"]>
): ToolContext => ({
  kind: context.kind,
  capabilities: new Map(context.capabilities).set(capability.key, { ...provided, capability })
})

/**
 * Adds capabilities to the context. A Worker only gets those that read. It is a defect if the context already has a
 * capability, if one is passed twice, or if a tool declares a different capability with the same key.
 */
export const provideAll = (
  context: ToolContext,
  provisions: ReadonlyArray<Provision>,
  tools: ReadonlyArray<Pick<Tool.Any, "capabilities" | "name">> = []
): ToolContext => {
  const capabilities = new Map(context.capabilities)
  for (const { capability, provided } of provisions) {
    const { floor, key } = capability
    if (capabilities.has(key)) throw new Error(`the capability ${Capability.shortName(key)} is provided already`)
    if (context.kind !== "Worker" || floor === "ReadOnly") capabilities.set(key, { ...provided, capability })
  }
  const all = { kind: context.kind, capabilities }
  const clash = clashOf(all, tools)
  if (clash !== null) throw new Error(clash)
  return all
}

/** Describes a tool that declares a different capability under a key of the context; null: there is none. */
const clashOf = (
  context: ToolContext,
  tools: ReadonlyArray<Pick<Tool.Any, "capabilities" | "name">>
): string | null => {
  for (const { capabilities, name } of tools) {
    const other = capabilities.find((capability) => isAnother(context, capability))
    if (other !== undefined) return `${name}: ${Capability.clash(other.key)}`
  }
  return null
}

/**
 * The declared capabilities that are missing from the context; a different capability with the same key counts as
 * missing.
 */
export const missing = (context: ToolContext, declared: ReadonlyArray<Capability.Any>): ReadonlyArray<Capability.Any> =>
  declared.filter((capability) => !context.capabilities.has(capability.key) || isAnother(context, capability))

const isAnother = ({ capabilities }: ToolContext, declared: Capability.Any): boolean => {
  const provided = capabilities.get(declared.key)?.capability
  return provided !== undefined && !Capability.isSame(declared, provided)
}
