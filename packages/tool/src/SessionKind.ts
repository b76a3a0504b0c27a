/** What a session of each kind may hold. A pack that needs more does not compile. */
import type { Session } from "@bough/protocol"
import type * as Capability from "./Capability.ts"
import {
  Channel,
  Environment,
  Execution,
  History,
  MemoryRead,
  MemoryWrite,
  NetworkRead,
  NetworkWrite,
  RepositoryRead,
  Scratchpad,
  Spawn,
  SpilledOutput,
  WorkspaceRead,
  WorkspaceWrite
} from "./Capability.ts"
import type * as Tool from "./Tool.ts"
import type * as ToolPack from "./ToolPack.ts"

type NameOf<R> = R extends { readonly key: infer K extends string } ? Capability.Short<K> : "unknown service"
type Satisfied<R, Keys extends ReadonlyArray<Capability.Any>, Kind extends string> = [
  Exclude<R, Capability.Of<Keys> | Tool.Always>
] extends [never]
  ? unknown
  : `a ${Kind} has no ${NameOf<Exclude<R, Capability.Of<Keys> | Tool.Always>>}`

/** The tools of one kind of session, checked against what the kind holds. */
export interface KindTools {
  readonly kind: Session.Kind
  readonly pack: ToolPack.Any
}

const kind = <const Kind extends Session.Kind, const Keys extends ReadonlyArray<Capability.Any>>(
  name: Kind,
  holds: Keys
) => ({
  name,
  holds,
  tools: <R>(pack: ToolPack.ToolPack<R> & Satisfied<R, Keys, Kind>): KindTools => ({ kind: name, pack })
})

const reads = [SpilledOutput, WorkspaceRead, RepositoryRead, MemoryRead, NetworkRead] as const
const writes = [
  WorkspaceWrite,
  Execution,
  MemoryWrite,
  Scratchpad,
  Environment,
  NetworkWrite,
  History,
  Channel,
  Spawn
] as const

/** The conversation with people. */
export const Main = kind("Main", [...reads, ...writes])
/** A sub-task; what it really holds is never more than its parent. */
export const Branch = kind("Branch", [...reads, ...writes])
/** A read-only errand. */
export const Worker = kind("Worker", reads)

/** A Branch that looks back on its parent and decides what is remembered: it reaches nothing else. */
export const Reflection = kind("Branch", [MemoryRead, MemoryWrite])

/** By name. */
export const byName = { Main, Branch, Worker } as const
