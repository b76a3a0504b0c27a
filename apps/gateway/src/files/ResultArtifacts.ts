/** The artifacts of a session's calls, read from its journal: written files, full outputs, images. Pure. */
import type { Artifacts } from "@bough/gateway-api"
import { Entry, type Message } from "@bough/protocol"

/** An artifact with the location of its bytes. */
export interface ArtifactEntry {
  readonly artifact: Artifacts.Artifact
  readonly source:
    /** `digest` null: the current content of the file. */
    | { readonly _tag: "File"; readonly path: string; readonly digest: string | null }
    | { readonly _tag: "Blob"; readonly digest: string }
    | { readonly _tag: "Image"; readonly media: Message.Media }
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp"
}

const outputs = (sequence: number, { outcome, tool }: Entry.BodyOf<"CallEnded">): ReadonlyArray<ArtifactEntry> => {
  if (outcome._tag !== "Succeeded") return []
  const { media, outputBlob, textBlob = null } = outcome
  const blob = (kind: "output" | "text", digest: string | null, extension: string): ReadonlyArray<ArtifactEntry> =>
    digest === null
      ? []
      : [
          {
            artifact: {
              id: `${sequence}-${kind}`,
              sequence,
              tool,
              kind,
              name: `${tool}-${sequence}.${extension}`,
              bytes: null
            },
            source: { _tag: "Blob", digest }
          }
        ]
  return [
    ...blob("output", outputBlob, "json"),
    ...blob("text", textBlob, "txt"),
    ...media.map((one, index): ArtifactEntry => ({
      artifact: {
        id: `${sequence}-image-${index}`,
        sequence,
        tool,
        kind: "image",
        name: `${tool}-${sequence}-${index}.${extensions[one.mediaType] ?? "bin"}`,
        bytes: Buffer.byteLength(one.data, "base64")
      },
      source: { _tag: "Image", media: one }
    }))
  ]
}

const files = (sequence: number, { receipt, tool }: Entry.BodyOf<"CallEnded">): ReadonlyArray<ArtifactEntry> =>
  (receipt?.artifacts ?? []).flatMap((one, index): ReadonlyArray<ArtifactEntry> => {
    if (one._tag !== "FileWritten" && one._tag !== "MediaSent") return []
    const { bytes, digest } = one._tag === "FileWritten" ? one : { bytes: null, digest: null }
    const kind = one._tag === "FileWritten" ? "file" : "sent"
    const artifact = { id: `${sequence}-file-${index}`, sequence, tool, kind, name: one.path, bytes } as const
    return [{ artifact, source: { _tag: "File", path: one.path, digest } }]
  })

/** Returns the artifacts of one entry, in an order that never changes. */
export const fromEntry = ({ body, seq }: Entry.Entry): ReadonlyArray<ArtifactEntry> =>
  body._tag === "CallEnded" ? [...files(seq, body), ...outputs(seq, body)] : []
