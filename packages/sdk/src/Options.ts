/** The options of a program when it opens a pack. */
import type { Embedder } from "@bough/memory"
import type { Network } from "@bough/network"
import type { Approval, Receipt } from "@bough/protocol"
import type { Settings } from "@bough/sandbox"
import type { Capability } from "@bough/tool"

/** The answer to one request; true approves it once. The caller of the tool gets the reason of a denial. */
export type Approver = boolean | { readonly denied: string }

/** Decides one call for which policy asks. */
export type Approve = (request: Approval.Request) => Approver | PromiseLike<Approver>

/** The location of notes, memory files, scratchpads and earlier sessions. */
export interface MemoryOptions {
  /**
   * A directory like `$BOUGH_HOME`: if it is that directory, its memory is that of the command line. Created if it is
   * missing.
   */
  readonly directory: string
  /** The user whose memory it is; default: the `user` of `open`, or of the call. Without a user there is no memory. */
  readonly user?: string
  /** Finds notes by meaning too, such as `EmbeddingStatic.model` of @bough/embedding-static; default: only by words. */
  readonly embedding?: Embedder.Model
}

/** Shows a message to the program's user. */
export type Send = (text: string) => void | PromiseLike<void>

export interface OpenOptions {
  /** The directory that the tools work in; nothing outside it can be reached. */
  readonly root: string
  /** Decides the calls for which policy asks, such as every Elevated call. Without it, such calls are rejected. */
  readonly approve?: Approve
  /** Typed rules, such as `deny write_file path=docs/`. */
  readonly rules?: ReadonlyArray<string>
  /** How commands run; default: in the sandbox, and refused if no sandbox is available. */
  readonly execution?: Partial<Settings.Settings>
  /**
   * The variables of which commands and tools see PATH, the locale and those that `execution.environmentKeys` names:
   * usually `process.env`.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Values that are never passed to a tool, and are replaced in every output. */
  readonly secrets?: ReadonlyArray<string>
  /** The network of the tools; `{}`: public hosts. Default: none. */
  readonly network?: Network.NetworkOptions
  /** The memory of the tools. Default: none. */
  readonly memory?: MemoryOptions
  /** The channel for messages of tools. Absent: tools cannot send messages. */
  readonly channel?: Send
  /** Capabilities that the pack needs and `open` does not provide, each made by `Capability.provide`. */
  readonly provide?: ReadonlyArray<Capability.Provision>
  /** The user, as tools see it. */
  readonly user?: string
  /** The record of each call whose handler ran. */
  readonly onReceipt?: (receipt: Receipt.Receipt) => void
}
