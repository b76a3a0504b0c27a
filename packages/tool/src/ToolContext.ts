/**
 * The capabilities of one session: for each, how to make the service for one call. What is not in here cannot be
 * reached by a handler, whatever it declares.
 */
import type { Approval, Session } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type * as Capability from "./Capability.ts"
import type { Invocation } from "./Invocation.ts"

/**
 * How far an effect of this capability can reach. `Confined`: held by the workspace or a sandbox. `Open`: the world, so a
 * System call asks unless a rule answers. `Host`: the operator's own account, so every call is Elevated.
 */
export type Reach = "Confined" | "Open" | "Host"

/** Says what the call has learnt, beside what its capabilities always say: its result bears that label. */
export type Mark = (label: Session.Label) => void

export interface Provided<Service> {
  readonly make: (invocation: Invocation["Service"], mark: Mark) => Service
  readonly reach: Reach
  /** What an approval of a call that uses this capability depends on, beside what the tool's preview read. */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
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
  capabilities: new Map(context.capabilities).set(capability.key, provided)
})

/** The declared capabilities that the context lacks, by short name. */
export const missing = (context: ToolContext, declared: ReadonlyArray<Capability.Any>): ReadonlyArray<Capability.Any> =>
  declared.filter(({ key }) => !context.capabilities.has(key))
