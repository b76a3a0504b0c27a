/** The options of a program when it opens a pack. */
import type { Embedder } from "@bough/memory"
import type { Network } from "@bough/network"
import type { Approval, Receipt } from "@bough/protocol"
import type { Settings } from "@bough/sandbox"
import type { Capability } from "@bough/tool"

/** The answer to one request; true approves it once. The caller of the tool receives the reason of a denial. */
export type ApprovalAnswer = boolean | { readonly denied: string }

/** Decides one call for which the policy requires approval. */
export type Approve = (request: Approval.Request) => ApprovalAnswer | PromiseLike<ApprovalAnswer>

/** The location of notes, memory files, scratchpads and earlier sessions. */
export interface MemoryOptions {
  /**
   * A directory in the form of `$BOUGH_HOME`. If it is `$BOUGH_HOME`, the program and the command line share their
   * memory. Created if it is missing.
   */
  readonly directory: string
  /** The owner of the memory; default: the `user` of `open`, or of the call. There is no memory without a user. */
  readonly user?: string
  /**
   * An embedding model that finds notes by meaning too, such as `EmbeddingStatic.model` of @bough/embedding-static;
   * default: notes are found only by words.
   */
  readonly embedding?: Embedder.Model
}

/** Shows a message to the program's user. */
export type Send = (text: string) => void | PromiseLike<void>

export interface OpenOptions {
  /** The directory of the tools, which cannot access anything outside of it. */
  readonly root: string
  /**
   * Decides the calls for which the policy requires approval, such as every Elevated call; absent: such calls are
   * rejected.
   */
  readonly approve?: Approve
  /** Typed rules, such as `deny write_file path=docs/`. */
  readonly rules?: ReadonlyArray<string>
  /** The way in which commands run; default: in the sandbox, and refused if no sandbox is available. */
  readonly execution?: Partial<Settings.Settings>
  /**
   * The environment, usually `process.env`. Commands and tools see PATH, the locale, and the variables that
   * `execution.environmentKeys` names.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Values that are never passed to a tool, and are replaced in every output. */
  readonly secrets?: ReadonlyArray<string>
  /** The network access of the tools; `{}`: public hosts. Default: none. */
  readonly network?: Network.NetworkOptions
  /** The memory of the tools. Default: none. */
  readonly memory?: MemoryOptions
  /** The channel for messages of tools. Absent: tools cannot send messages. */
  readonly channel?: Send
  /** Capabilities that the pack needs but `open` does not provide, each made by `Capability.provide`. */
  readonly provide?: ReadonlyArray<Capability.Provision>
  /** The user that tools see. */
  readonly user?: string
  /** Receives the record of each call whose handler ran. */
  readonly onReceipt?: (receipt: Receipt.Receipt) => void
}
