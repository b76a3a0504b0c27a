/** The files that a call sent to the user, with the ids under which they are downloaded. Pure. */
import type { CallItem } from "./Item.ts"

export interface SentFile {
  readonly artifactId: string
  readonly path: string
}

export const sentFiles = ({ artifacts, endedSeq }: Pick<CallItem, "artifacts" | "endedSeq">): ReadonlyArray<SentFile> =>
  endedSeq === null
    ? []
    : artifacts.flatMap((artifact, index) =>
        artifact._tag === "MediaSent" ? [{ artifactId: `${endedSeq}-file-${index}`, path: artifact.path }] : []
      )

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

/** Returns true if a browser may display a file of that detected type; no such type can run code. */
export const isImage = (mediaType: string): boolean => images.has(mediaType)
