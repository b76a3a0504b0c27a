/**
 * The capabilities of one session: for each, how to make the service for one call. What is not in here cannot be
 * reached by a handler, whatever it declares.
 */
import type { Approval, Session, ToolError } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import * as Capability from "./Capability.ts"
import type * as Tool from "./Declaration.ts"
import type { Invocation } from "./Invocation.ts"

/** Says what the call has learnt, beside what its capabilities always say: its result bears that label. */
export type Mark = (label: Session.Label) => void

/**
 * Why no request of this call may go to an address, as a sentence; null: it may. Adapters ask before each request and each
 * redirect, and before they look the host up.
 */
export type Passage = (url: string, isRedirect: boolean) => string | null

/** A place of the workspace as a rule writes it, and the text of the rule. */
export interface WithheldPlace {
  readonly path: string
  readonly rule: string
}

/** Places that rules keep from what this call finds. Adapters that walk leave out what lies below them. */
export interface Withheld {
  readonly places: ReadonlyArray<WithheldPlace>
  /** Says that a walk met the place, whether or not anything below it would have been found. */
  readonly tell: (place: WithheldPlace) => void
}

/** What rules say of a call while it runs. */
export interface Bounds {
  readonly passage?: Passage
  /** Left out: nothing. */
  readonly withheld?: Withheld
}

export interface Provided<Service> {
  readonly make: (invocation: Invocation["Service"], mark: Mark, bounds?: Bounds) => Service
  readonly reach: Capability.Reach
  /** What an approval of a call that uses this capability depends on, beside what the tool's preview read. */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
  /** The same of facts that may change: read for the preview, and again before the call starts. */
  readonly readPreconditions?: Effect.Effect<ReadonlyArray<Approval.Precondition>, ToolError.ToolError>
  /** Which capability it serves. Set by `provide`. */
  readonly capability?: Capability.Any
  /** What is sent through it reaches nobody but the person whose session it is: it carries nothing out. */
  readonly staysWithOwner?: true
  /**
   * What the first call that uses it would wait for: begun while the model still writes that call. It does nothing of the
   * call itself, which may never run; and a call waits for the same work, or does it, if it comes before its end.
   */
  readonly prepare?: Effect.Effect<void>
}

export interface ToolContext {
  readonly kind: Session.Kind
  // oxlint-disable-next-line typescript/no-explicit-any -- each key's service is its own; `provide` ties the two
  readonly capabilities: ReadonlyMap<string, Provided<any>>
}

/** Of a session that can touch nothing yet. */
export const empty = (kind: Session.Kind): ToolContext => ({ kind, capabilities: new Map() })

/** A confined service that is the same for every call. */
export const constant = <Service>(service: Service): Provided<Service> => ({
  make: () => service,
  reach: "Confined",
  preconditions: []
})

/** The context with one more capability. */
export const provide = <Key extends Capability.Any>(
  context: ToolContext,
  capability: Key,
  provided: Provided<Key["Service"]>
): ToolContext => ({
  kind: context.kind,
  capabilities: new Map(context.capabilities).set(capability.key, { ...provided, capability })
})

/**
 * The context with these capabilities too. A Worker is given those that only read. One that the context holds already, or
 * that is provided twice, is a defect, and so is a tool that declares another one of the same key.
 */
export const provideAll = (
  context: ToolContext,
  provisions: ReadonlyArray<Capability.Provision>,
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

/** What is wrong where a tool declares a capability with the key of another that the context has; null: nothing. */
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

/** The declared capabilities that the context lacks. One with the key of another is lacking too. */
export const missing = (context: ToolContext, declared: ReadonlyArray<Capability.Any>): ReadonlyArray<Capability.Any> =>
  declared.filter((capability) => !context.capabilities.has(capability.key) || isAnother(context, capability))

const isAnother = ({ capabilities }: ToolContext, declared: Capability.Any): boolean => {
  const provided = capabilities.get(declared.key)?.capability
  return provided !== undefined && !Capability.isSame(declared, provided)
}
