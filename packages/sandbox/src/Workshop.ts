/** The parts that all sandboxes of a process share: the machine, the generated files and the filter. */
import * as Effect from "effect/Effect"
import * as Bubblewrap from "./Bubblewrap.ts"
import * as ConnectorProgram from "./ConnectorProgram.ts"
import type { Variables } from "./Environment.ts"
import { channelDescriptor } from "./internal/ChildProcess.ts"
import * as Descriptors from "./internal/Descriptors.ts"
import * as Devices from "./internal/Devices.ts"
import * as ListenerProgram from "./ListenerProgram.ts"
import type { Machine } from "./Machine.ts"
import * as Proxy from "./Proxy.ts"
import * as Seccomp from "./Seccomp.ts"

/** The parts that every sandbox of this process shares. */
export interface Workshop {
  readonly machine: Machine
  readonly hold: Bubblewrap.SandboxTraits
  readonly variables: Variables
  /**
   * Unlinked files: those of `Bubblewrap.files`, the program that opens the proxy's port, the program that connects
   * sockets, and the filter.
   */
  readonly files: ReadonlyArray<number>
  readonly maxOutputBytes: number
  /** The modes of the devices before the first command. */
  readonly devices: Devices.Modes
  /** True if a sandbox of this machine can pass connected sockets to this process. */
  readonly canConnect: boolean
  /** True if a sandbox of this machine can have a port that leads to a proxy. */
  readonly canProxy: boolean
}

/** Settings of the operator that all sandboxes share. */
export type SharedSettings = Pick<Workshop, "variables" | "maxOutputBytes"> & { readonly unixSockets: boolean }

/** Gathers the shared state of a process's sandboxes. */
export const open = Effect.fnUntraced(function* (machine: Machine, { unixSockets, ...shared }: SharedSettings) {
  const filter = Seccomp.program(process.arch, unixSockets)
  const plugged = yield* Descriptors.inheritedAbove(Bubblewrap.filterDescriptor)
  const listener = ListenerProgram.program(process.arch, Proxy.port, channelDescriptor)
  const connector = ConnectorProgram.program(process.arch, channelDescriptor)
  const contents = [
    ...Bubblewrap.contents(machine),
    listener ?? "",
    connector ?? "",
    ...(filter === null ? [] : [filter])
  ]
  const workshop: Workshop = {
    ...shared,
    machine,
    hold: { filtered: filter !== null, plugged },
    files: yield* Effect.forEach(contents, Descriptors.nameless),
    devices: Devices.modes(process.getuid?.() === 0),
    canConnect: connector !== null && machine.setsModes,
    canProxy: listener !== null && machine.setsModes
  }
  return workshop
})
