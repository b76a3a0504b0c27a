/** The capabilities that a session of each kind may have. A pack that needs more does not compile. */
import type { Session } from "@bough/protocol"
import * as Capability from "./Capability.ts"
import * as Expected from "./Expected.ts"
import { isPack } from "./internal/argument.ts"
import type * as Tool from "./Tool.ts"
import type * as ToolPack from "./ToolPack.ts"

type MissingRequirements<R, Keys extends ReadonlyArray<Capability.Any>> = Exclude<R, Capability.Of<Keys> | Tool.Always>

/** The sentence that the compiler shows about a pack that this kind cannot have; `unknown`: it can have the pack. */
type RequirementsMessage<R, Tools, Keys extends ReadonlyArray<Capability.Any>, Kind extends string> = [
  MissingRequirements<R, Keys>
] extends [never]
  ? Kind extends "Worker"
    ? OnlyReadOnly<Tools>
    : unknown
  : [Capability.OwnOf<MissingRequirements<R, Keys>>] extends [never]
    ? `a ${Kind} has no ${Capability.NamesOf<MissingRequirements<R, Keys>>}: leave out the tools that use it`
    : `a ${Kind} has no ${Capability.NamesOf<Capability.OwnOf<MissingRequirements<R, Keys>>>}: write SessionKind.${Kind}.with(${Capability.NamesOf<Capability.OwnOf<MissingRequirements<R, Keys>>>}).tools(…)`

type AboveReadOnly<Tools> = {
  readonly [Name in keyof Tools]: Tools[Name] extends { readonly tier: "ReadOnly" } ? never : Name
}[keyof Tools]

type OnlyReadOnly<Tools> = [AboveReadOnly<Tools>] extends [never]
  ? unknown
  : `a Worker calls ReadOnly tools only: leave out ${AboveReadOnly<Tools> & string}`

/**
 * The tools of one kind of session, checked against the capabilities of the kind. `Own` are the capabilities that the
 * host has to provide.
 */
export interface KindTools<out Own = unknown> {
  readonly kind: Session.Kind
  readonly pack: ToolPack.Any
  /** A type-only member, which does not exist at run time. */
  readonly "~own"?: Own
}

/** A kind of session with these capabilities. */
export interface SessionKind<Kind extends Session.Kind, Keys extends ReadonlyArray<Capability.Any>> {
  readonly name: Kind
  readonly holds: Keys
  readonly tools: <R, Tools>(
    pack: ToolPack.ToolPack<R, Tools> & RequirementsMessage<R, Tools, Keys, Kind>
  ) => KindTools<Capability.OwnOf<Exclude<R, Tool.Always>>>
  /** Adds capabilities of packs, which the host provides, to the kind. A Worker accepts only those that read. */
  readonly with: <const More extends ReadonlyArray<Capability.Any>>(
    ...capabilities: More & OnlyReads<More, Kind>
  ) => SessionKind<Kind, readonly [...Keys, ...More]>
}

type OnlyReads<Keys extends ReadonlyArray<Capability.Any>, Kind> = Kind extends "Worker"
  ? {
      readonly [I in keyof Keys]: Keys[I] extends { readonly floor: "ReadOnly" }
        ? unknown
        : `a Worker holds what only reads: the floor of ${Capability.Short<Keys[I]["key"]>} is ${Keys[I]["floor"]}`
    }
  : unknown

/** A program without types may pass any value. */
const checkCapabilities = (called: string, capabilities: ReadonlyArray<unknown>): void => {
  for (const [at, value] of capabilities.entries()) {
    const fault = Expected.capability(value)
    if (fault !== null) throw new TypeError(`${called}: argument ${at + 1} ${fault}`)
  }
}

const kind = <const Kind extends Session.Kind, const Keys extends ReadonlyArray<Capability.Any>>(
  name: Kind,
  holds: Keys
): SessionKind<Kind, Keys> => ({
  name,
  holds,
  tools: (pack) => {
    if (!isPack(pack)) {
      const merged = "; tools are made to a pack by ToolPack.make(tool), and packs to one by ToolPack.merge"
      throw new TypeError(`SessionKind.${name}.tools: the argument must be a pack${Expected.typeText(pack)}${merged}`)
    }
    const fault = faultOf(name, new Set(holds.map(({ key }) => key)), pack)
    if (fault !== null) throw new Error(fault)
    return { kind: name, pack }
  },
  with: (...capabilities) => {
    checkCapabilities(`SessionKind.${name}.with`, capabilities)
    const available = new Map(holds.map((held) => [held.key, held]))
    for (const capability of capabilities as ReadonlyArray<Capability.Any>) {
      if ((available.get(capability.key) ?? capability) !== capability)
        throw new Error(Capability.clash(capability.key))
      if (name === "Worker" && capability.floor !== "ReadOnly") {
        throw new Error(`a Worker holds what only reads: the floor of ${capability.key} is ${capability.floor}`)
      }
      available.set(capability.key, capability)
    }
    return kind(name, [...available.values()]) as never
  }
})

/**
 * The sentence about a pack that a kind cannot have, for packs whose types were not checked; null: the kind can have
 * it.
 */
const faultOf = (kind: Session.Kind, held: ReadonlySet<string>, { tools }: ToolPack.Any): string | null => {
  for (const tool of Object.values<Tool.Any>(tools)) {
    const lacking = tool.capabilities.find(({ key }) => !held.has(key))
    if (lacking !== undefined) {
      return `a ${kind} has no ${nameOf(lacking.key)}, which ${tool.name} uses: leave out the tools that use it`
    }
    if (kind === "Worker" && tool.tier !== "ReadOnly") {
      return `a Worker calls ReadOnly tools only: leave out ${tool.name}`
    }
  }
  return null
}

const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

const reads = [
  Capability.SpilledOutput,
  Capability.WorkspaceRead,
  Capability.RepositoryRead,
  Capability.CodeIntelligence,
  Capability.MemoryRead,
  Capability.NetworkRead
] as const
const writes = [
  Capability.WorkspaceWrite,
  Capability.RepositoryWrite,
  Capability.RepositoryPush,
  Capability.Execution,
  Capability.MemoryWrite,
  Capability.Scratchpad,
  Capability.Environment,
  Capability.NetworkWrite,
  Capability.History,
  Capability.Channel,
  Capability.Spawn,
  Capability.Chain,
  Capability.Sampling,
  Capability.Vault,
  Capability.Attachments
] as const

/** The conversation with users. */
export const Main = kind("Main", [...reads, ...writes])
/** A sub-task; it never has more capabilities than its parent. */
export const Branch = kind("Branch", [...reads, ...writes])
/** A read-only sub-agent. */
export const Worker = kind("Worker", reads)

/** A Branch that reviews its parent's conversation and saves notes: its only capability is the memory. */
export const Reflection = kind("Branch", [Capability.MemoryRead, Capability.MemoryWrite])

/** The kinds by name. */
export const byName = { Main, Branch, Worker } as const
