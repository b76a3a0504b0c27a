/** The metadata of a reply's blocks of reasoning, which the provider expects back with each block. */
import type { SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import { sign } from "./AiSdkPrompt.ts"

type Metadata = SharedV4ProviderMetadata

export interface AiSdkThoughts {
  /** Adds metadata of a block, which may arrive with any of its parts. */
  readonly add: (id: string, metadata: Metadata | undefined) => void
  /** Ends a block; returns its signature if it has metadata. */
  readonly end: (id: string) => ReadonlyArray<Model.ModelPart>
}

export const make = (): AiSdkThoughts => {
  const thoughts = new Map<string, Metadata>()
  return {
    add: (id, metadata) => {
      if (metadata === undefined) return
      const known = thoughts.get(id) ?? {}
      const merged = Object.entries(metadata).map(([name, fields]) => [name, { ...known[name], ...fields }])
      thoughts.set(id, { ...known, ...Object.fromEntries(merged) })
    },
    end: (id) => {
      const metadata = thoughts.get(id)
      thoughts.delete(id)
      return metadata === undefined ? [] : [{ _tag: "Reasoning", text: "", signature: sign(metadata) }]
    }
  }
}
