/** The context of a documented function from which `@bough/tool-compiler` makes a tool. */
import type * as Capability from "./CapabilityClass.ts"
import type { AsyncContext, Promised } from "./FromAsync.ts"

/** A capability as a type: the type of a class that `Capability.make` declares. */
interface Served {
  readonly key: string
  readonly Service: object
}

/**
 * The last parameter of such a function: its capabilities by name in lower camel case, and `progress`, `signal` and
 * `invocation`.
 */
export type Uses<Capabilities extends ReadonlyArray<Served> = []> = {
  readonly [C in Capabilities[number] as Uncapitalize<Capability.Short<C["key"]>>]: Promised<C["Service"]>
} & AsyncContext<[]>
