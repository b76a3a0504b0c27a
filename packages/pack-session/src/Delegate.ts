/** `delegate`: asks a named agent, waits for its answer, and takes over the images that it sent. */
import { type Message, SessionResult, ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as ImageType from "@bough/tool/ImageType"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import { bounds, boundsOf } from "./Bounds.ts"

/** The maximum wait: approvals may take days, but a call needs a finite limit. */
const maxWaitMillis = 8 * 24 * 60 * 60 * 1000

/**
 * The maximum number of images that the asking session gets, in the order of sending; further images are only named.
 */
const maxImages = 8
const maxImageBytes = 4 * 1024 ** 2

const { agent: _agent, ...others } = bounds

const Answer = Schema.Struct({
  session: Schema.String,
  /** The end state; null: the child is still working, or waits for a user. */
  status: Schema.NullOr(SessionResult.EndState),
  /** Approvals that a user has to decide first. */
  waitsFor: Schema.Array(Schema.String),
  /** The last message of the agent. */
  summary: Schema.String,
  /** The answer that fits `outputSchema`; absent: no schema was requested, or the agent gave no such answer. */
  output: Schema.optionalKey(Schema.Json),
  /** Paths of the files that the agent sent to the users of the session. */
  media: Schema.Array(Schema.String)
})

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Json))

export const Delegate = Tool.make("delegate", {
  version: 1,
  description: "Ask a named agent and wait for its answer. It sees only what you write here",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Spawn, Capability.WorkspaceRead],
  releasesPermit: true,
  timeoutMillis: maxWaitMillis,
  parameters: Schema.Struct({ agent: Schema.NonEmptyString, task: Schema.NonEmptyString, ...others }),
  output: Answer,
  forModel: ({ media, session, status, waitsFor }) =>
    [
      status === null
        ? `${session} is still running${waitsFor.length === 0 ? "" : `: it waits for the approval of ${waitsFor.join(", ")}`}`
        : `${session} ${status.toLowerCase()}`,
      ...media.map((path) => `it sent ${path}`)
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ agent, task, ...options }) {
    const sessions = yield* Capability.Spawn
    const started = yield* sessions.spawn({ kind: "Branch", task, start: "Brief", ...boundsOf({ ...options, agent }) })
    const [child = started] = yield* sessions.wait({
      sessionIds: [started.sessionId],
      until: "all",
      timeoutMillis: null
    })
    const { approvals, result, sessionId } = child
    const sent = (result?.artifacts ?? []).filter(({ _tag }) => _tag === "MediaSent")
    if (result !== null && result.status !== "Completed") {
      return yield* new ToolError.ExecutionError({
        message: `${agent} did not finish: ${result.reason}`,
        hint: "its last message follows; ask for less, or do the task here"
      })
    }
    const output = result === null || result.output === null ? null : Result.getOrNull(parse(result.output))
    const paths = sent.flatMap((artifact) => (artifact._tag === "MediaSent" ? [artifact.path] : []))
    return Tool.result({
      output: {
        session: sessionId,
        status: result?.status ?? null,
        waitsFor: approvals,
        summary: result?.summary ?? "",
        ...(output === null ? {} : { output }),
        media: paths
      },
      display: result === null ? `${agent} waits for an approval` : `${agent} has answered`,
      artifacts: sent,
      media: yield* imagesOf([...new Set(paths)])
    })
  })
})

/**
 * Reads the images among the files. If a file is missing, too large, now secret, or not an image, the result contains
 * only its path.
 */
const imagesOf = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const workspace = yield* Capability.WorkspaceRead
  const images: Array<Message.Media> = []
  for (const path of paths) {
    if (images.length === maxImages) break
    const image = yield* Effect.option(imageAt(workspace, path))
    if (Option.isSome(image) && image.value !== null) images.push(image.value)
  }
  return images
})

const imageAt = Effect.fnUntraced(function* (workspace: Capability.WorkspaceRead["Service"], path: string) {
  const { sensitivity } = yield* workspace.inspect(path)
  if (sensitivity === "secret") return null
  const { bytes } = yield* workspace.readFile(path, maxImageBytes)
  const mediaType = ImageType.fromBytes(bytes)
  return mediaType === null ? null : { mediaType, data: Buffer.from(bytes).toString("base64") }
})
