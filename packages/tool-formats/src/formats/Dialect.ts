/** One format in both directions. Its values are plain JSON (text for Harmony); foreign ones are decoded within bounds. */
import type { Read } from "../FormatFault.ts"
import type { Written } from "../Loss.ts"
import type { Call, CallResult, Declaration, Delta, ReadResult } from "../ToolMessage.ts"
import type { NameRule } from "../ToolNames.ts"

/** Reads the events of one streamed reply, in their order. */
export interface DeltaReader {
  readonly push: (event: unknown) => Read<ReadonlyArray<Delta>>
}

export interface Dialect {
  readonly names: NameRule
  readonly writeDeclarations: (declarations: ReadonlyArray<Declaration>) => Written<unknown>
  readonly readDeclarations: (value: unknown) => Read<ReadonlyArray<Declaration>>
  /** Writes the calls of one reply, in the form of a conversation. */
  readonly writeCalls: (calls: ReadonlyArray<Call>) => Written<unknown>
  readonly readCalls: (value: unknown) => Read<ReadonlyArray<Call>>
  readonly writeResults: (results: ReadonlyArray<CallResult>) => Written<unknown>
  readonly readResults: (value: unknown) => Read<ReadonlyArray<ReadResult>>
  /** Makes a reader of deltas; null: replies of this format do not stream calls. */
  readonly deltas: (() => DeltaReader) | null
}
