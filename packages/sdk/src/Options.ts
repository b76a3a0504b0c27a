/** The options of a program when it opens a pack. */
import type { Embedder } from "@bough/memory"
import type { Network } from "@bough/network"
import type { Approval, Receipt } from "@bough/protocol"
import type { Settings } from "@bough/sandbox"
import type { Capability } from "@bough/tool"

/** The answer to one request; true approves it once. The caller of the tool gets the words. */
export type Approver = boolean | { readonly denied: string }

/** Decides one call that policy asks about. */
export type Approve = (request: Approval.Request) => Approver | PromiseLike<Approver>

/** Where notes, memory files, scratchpads and earlier sessions are. */
export interface MemoryOptions {
  /** As `$BOUGH_HOME`: the memory of the command line, if it is that directory. Made where it is not there. */
  readonly directory: string
  /** The user whose memory it is; default: the `user` of `open`, or of the call. Without a user there is no memory. */
  readonly user?: string
  /** Finds notes by meaning too, such as `EmbeddingStatic.model` of @bough/embedding-static; left out: by words alone. */
  readonly embedding?: Embedder.Model
}

/** Shows a message to the program's user. */
export type Send = (text: string) => void | PromiseLike<void>

export interface OpenOptions {
  /** The directory that the tools work in; nothing outside it can be reached. */
  readonly root: string
  /** Decides what policy asks about, such as every Elevated call. Without it such calls are rejected. */
  readonly approve?: Approve
  /** Typed rules, such as `deny write_file path=docs/`. */
  readonly rules?: ReadonlyArray<string>
  /** How commands run; default: sandboxed, and refused where no sandbox can be had. */
  readonly execution?: Partial<Settings.Settings>
  /**
   * The variables of which commands and tools see PATH, the locale and those that `execution.environmentKeys` names:
   * usually `process.env`.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Never given to a tool, and replaced wherever one shows them. */
  readonly secrets?: ReadonlyArray<string>
  /** The network of the tools; `{}`: public hosts. Default: none. */
  readonly network?: Network.NetworkOptions
  /** The memory of the tools. Default: none. */
  readonly memory?: MemoryOptions
  /** Where tools send messages to. Absent: they cannot. */
  readonly channel?: Send
  /** Capabilities that the pack needs and `open` does not bring, each made by `Capability.provide`. */
  readonly provide?: ReadonlyArray<Capability.Provision>
  /** The user, as tools see it. */
  readonly user?: string
  /** The record of each call whose handler ran. */
  readonly onReceipt?: (receipt: Receipt.Receipt) => void
}
