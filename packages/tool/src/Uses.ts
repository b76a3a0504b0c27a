/** The context of a documented function from which `@bough/tool-compiler` makes a tool. */
import type * as Capability from "./CapabilityClass.ts"
import type { AsyncContext, PromiseService } from "./FromAsync.ts"

/** The class of a capability, as `Capability.make` declares it. */
interface CapabilityClass {
  readonly key: string
  readonly Service: object
}

/**
 * The last parameter of a documented function: its capabilities by name in lower camel case, and `progress`, `signal`
 * and `invocation`.
 */
export type Uses<Capabilities extends ReadonlyArray<CapabilityClass> = []> = {
  readonly [C in Capabilities[number] as Uncapitalize<Capability.Short<C["key"]>>]: PromiseService<C["Service"]>
} & AsyncContext<[]>
