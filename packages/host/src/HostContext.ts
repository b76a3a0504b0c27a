/**
 * The parts from which an app makes its sessions for one user. The context is stateless, so a process may have many
 * contexts.
 */
import type { Capability } from "@bough/tool"
import type { HostEnvironment } from "./config/Settings.ts"
import type { Packs, PrebuiltSchemas } from "./Packs.ts"

export interface HostContext {
  /** The name of the program, as the user calls it. */
  readonly name: string
  readonly packs: Packs
  /** Capabilities that the packs need and Bough does not provide. */
  readonly provide: ReadonlyArray<Capability.Provision>
  readonly schemas: PrebuiltSchemas
  readonly environment: HostEnvironment
}
