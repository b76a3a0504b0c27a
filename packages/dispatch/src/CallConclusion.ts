/** The outcome of a call, with its part of the receipt. Pure data. */
import type { Artifact, Entry } from "@bough/protocol"

export interface CallConclusion {
  readonly outcome: Entry.Outcome
  readonly outputDigest: string | null
  /** The digest of the text for the model; null: the model reads the output itself. */
  readonly textDigest: string | null
  readonly artifacts: ReadonlyArray<Artifact.Artifact>
}
