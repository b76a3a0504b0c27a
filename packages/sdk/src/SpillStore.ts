/** Stores the complete outputs of the newest calls, so tools can return them page by page. */
import { Canonical, ToolError } from "@bough/protocol"
import type { SpilledOutput } from "@bough/tool"
import * as Effect from "effect/Effect"

const maxBytes = 64 * 1024 ** 2

export interface SpillStore {
  readonly keep: (bytes: Uint8Array) => string
  readonly get: (digest: string) => Uint8Array | undefined
  readonly capability: SpilledOutput.SpilledOutput["Service"]
}

export const make = (): SpillStore => {
  // The map is in the order in which the outputs were stored.
  const outputs = new Map<string, Uint8Array>()
  let total = 0
  const forget = (digest: string): void => {
    total -= outputs.get(digest)?.length ?? 0
    outputs.delete(digest)
  }
  return {
    keep: (bytes) => {
      const digest = Canonical.digest(bytes)
      forget(digest)
      outputs.set(digest, bytes)
      total += bytes.length
      for (const oldest of outputs.keys()) {
        if (total <= maxBytes || oldest === digest) break
        forget(oldest)
      }
      return digest
    },
    get: (digest) => outputs.get(digest),
    capability: {
      read: (digest) => {
        const bytes = outputs.get(digest)
        return bytes === undefined
          ? Effect.fail(new ToolError.ExecutionError({ message: `there is no output ${digest}` }))
          : Effect.succeed(bytes)
      }
    }
  }
}
