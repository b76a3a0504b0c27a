/**
 * The images that the calls of a child returned to its model. The child's result lists them, so that its parent can look at
 * them: by path, or, if they are in no file, by a reference into the child's journal. Pure.
 */
import { type Artifact, type Entry, Session } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The kind of a seen image among the artifacts of a result. */
const kind = "bough/ImageSeen"

/** The maximum number of images in a result, including those of descendants; the newest are kept. */
const maxImages = 8

const SeenImage = Schema.Struct({
  session: Session.SessionId,
  toolCallId: Session.ToolCallId,
  /** The position among the images of the call. */
  index: Schema.Natural,
  tool: Schema.String,
  /** The path that the call named; null: none. */
  path: Schema.NullOr(Schema.String),
  mediaType: Schema.String,
  /**
   * True if reading the image needed an approval. It then has no reference, because the parent needs the approval as
   * well.
   */
  isGuarded: Schema.Boolean
})
export type SeenImage = typeof SeenImage.Type

const decode = Schema.decodeUnknownOption(SeenImage)

/** Returns the seen image of an artifact; null: the artifact is of another kind, or its data is not valid. */
const imageOf = (artifact: Artifact.Artifact): SeenImage | null =>
  artifact._tag === "Declared" && artifact.kind === kind ? Option.getOrNull(decode(artifact.data)) : null

/** Returns the seen images among artifacts. */
export const imagesIn = (artifacts: ReadonlyArray<Artifact.Artifact>): ReadonlyArray<SeenImage> =>
  artifacts.map(imageOf).filter((image) => image !== null)

/**
 * Returns the name by which `read_file` returns the image, after `blob:`; null: the parent reads the file by its path,
 * which needs an approval.
 */
export const referenceOf = ({ index, isGuarded, toolCallId }: SeenImage): string | null =>
  isGuarded ? null : `${toolCallId}.${index}`

/** Adds artifacts to those of a child. A file that was seen again replaces its earlier image. */
export const addTo = (all: Array<Artifact.Artifact>, more: ReadonlyArray<Artifact.Artifact>): void => {
  for (const artifact of more) {
    const image = imageOf(artifact)
    if (image !== null) {
      const seen = all.flatMap((one) => {
        const path = imageOf(one)?.path
        return path === undefined ? [] : [{ one, path }]
      })
      const same = seen.find(({ path }) => path !== null && path === image.path)
      const surplus = same ?? (seen.length < maxImages ? undefined : seen[0])
      if (surplus !== undefined) all.splice(all.indexOf(surplus.one), 1)
    }
    all.push(artifact)
  }
}

/** Returns the images that a call of a session returned, as artifacts. `written`: the arguments that the model wrote. */
export const artifactsOf = (
  { outcome, receipt, tool, toolCallId }: Entry.BodyOf<"CallEnded">,
  written: string
): ReadonlyArray<Artifact.Artifact> => {
  const session = receipt?.sessionPath.at(-1)
  if (outcome._tag !== "Succeeded" || outcome.media.length === 0 || receipt === null || session === undefined) return []
  const path = pathIn(receipt.arguments ?? written)
  const isGuarded = path !== null && (receipt.authority._tag === "User" || receipt.authority._tag === "Rule")
  return outcome.media.map(({ mediaType }, index) => ({
    _tag: "Declared",
    kind,
    data: { session, toolCallId, index, tool, path, mediaType, isGuarded }
  }))
}

/** Returns the file that arguments name; null: they name none. */
const pathIn = (written: string): string | null => {
  const parsed = Result.getOrNull(Result.try(() => JSON.parse(written) as unknown))
  const path = (parsed as { readonly path?: unknown } | null)?.path
  return typeof path === "string" && !path.startsWith("blob:") ? path : null
}

/** Makes the text about seen images that the parent's model reads; "": there are none. */
export const textOf = (artifacts: ReadonlyArray<Artifact.Artifact>): string => {
  const seen = imagesIn(artifacts).map((image) => {
    const reference = referenceOf(image)
    const name = image.path ?? `an image of ${image.tool}`
    return reference === null ? name : `${name} (blob:${reference})`
  })
  return seen.length === 0 ? "" : `\n[it saw ${seen.join(", ")}; read_file shows an image again]`
}
