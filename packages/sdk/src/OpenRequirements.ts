/**
 * The capabilities that `open` provides, by default and by its options, as types. A pack that requires other
 * capabilities does not compile.
 */
import type { Capability, Tool, ToolPack } from "@bough/tool"
import type { OpenOptions } from "./Options.ts"

type Always =
  | Capability.WorkspaceRead
  | Capability.WorkspaceWrite
  | Capability.RepositoryPush
  | Capability.RepositoryRead
  | Capability.RepositoryWrite
  | Capability.Execution
  | Capability.Environment
  | Capability.SpilledOutput
  | Tool.Always

type OfNetwork = Capability.NetworkRead | Capability.NetworkWrite
type OfMemory = Capability.MemoryRead | Capability.MemoryWrite | Capability.Scratchpad | Capability.History

/** An option that may be undefined counts as providing no capability. */
type If<Option, Capabilities> = undefined extends Option ? never : Capabilities

type ProvidedBy<Provided> =
  Provided extends ReadonlyArray<Capability.Provision> ? Provided[number]["capability"]["Identifier"] : never

type MissingRequirements<R, Given extends OpenOptions> = Exclude<
  R,
  | Always
  | If<Given["network"], OfNetwork>
  | If<Given["memory"], OfMemory>
  | If<Given["channel"], Capability.Channel>
  | ProvidedBy<Given["provide"]>
>

/** The hint for a missing capability, one option at a time. */
type Fix<Lacks> = [Extract<Lacks, OfNetwork>] extends [never]
  ? [Extract<Lacks, OfMemory>] extends [never]
    ? [Extract<Lacks, Capability.Channel>] extends [never]
      ? [Extract<Lacks, Capability.Spawn>] extends [never]
        ? `pass provide: [Capability.provide(${Capability.NamesOf<Lacks>}, { service })]`
        : "leave out the tools that use it, or make the pack's program with main of @bough/cli: a plain program has no sessions"
      : "pass channel: (text) => …"
    : "pass memory: { directory, user }"
  : "pass network: {}"

/** True if a pack's requirements are only known at run time; its calls then report missing capabilities. */
type IsAny<R> = 0 extends R & 1 ? true : false

/** The requirements of a pack that these options do not provide; `unknown`: there are none. */
export type RequirementsMessage<R, Given extends OpenOptions> =
  IsAny<R> extends true
    ? unknown
    : [MissingRequirements<R, Given>] extends [never]
      ? unknown
      : `a plain program has no ${Capability.NamesOf<MissingRequirements<R, Given>>}: ${Fix<MissingRequirements<R, Given>>}`

/** The reserved names of an opened pack, which no tool may have. */
export type ReservedName = "call" | "judge" | "tools"

/** Checks the names of tools. Names that are known only at run time are checked at run time. */
export type OnlyFreeNames<Tools> = string extends keyof Tools
  ? unknown
  : [keyof Tools & ReservedName] extends [never]
    ? unknown
    : `a tool called ${keyof Tools & ReservedName} cannot be opened: rename it`

/** Reports a misspelt option at compile time. */
export type OnlyKnown<Given> = {
  readonly [Name in Exclude<keyof Given, keyof OpenOptions>]: `open has no option ${Name & string}`
}

/** A pack whose requirements these options satisfy. */
export type Openable<R, Tools, Given extends OpenOptions> = ToolPack.ToolPack<R, Tools> &
  RequirementsMessage<R, Given> &
  OnlyFreeNames<Tools>
