/** One format in both directions. Its values are plain JSON (text for Harmony); foreign ones are decoded within bounds. */
import type { FormatResult } from "../FormatFault.ts"
import type { WriteResult } from "../Loss.ts"
import type { Call, CallResult, Declaration, Delta, ReadResult } from "../ToolMessage.ts"
import type { NameRule } from "../ToolNames.ts"

/** Reads the events of one streamed reply, in their order. */
export interface DeltaReader {
  readonly push: (event: unknown) => FormatResult<ReadonlyArray<Delta>>
}

export interface Dialect {
  readonly names: NameRule
  readonly writeDeclarations: (declarations: ReadonlyArray<Declaration>) => WriteResult<unknown>
  readonly readDeclarations: (value: unknown) => FormatResult<ReadonlyArray<Declaration>>
  /** Writes the calls of one reply, in the form of a conversation. */
  readonly writeCalls: (calls: ReadonlyArray<Call>) => WriteResult<unknown>
  readonly readCalls: (value: unknown) => FormatResult<ReadonlyArray<Call>>
  readonly writeResults: (results: ReadonlyArray<CallResult>) => WriteResult<unknown>
  readonly readResults: (value: unknown) => FormatResult<ReadonlyArray<ReadResult>>
  /** Makes a reader of deltas; null: replies of this format do not stream calls. */
  readonly deltas: (() => DeltaReader) | null
}
