/** `send_media`: sends an image or another file of the workspace to the session's users. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { basename } from "node:path"
import * as FileKind from "./internal/FileKind.ts"

const maxBytes = 20 * 1024 ** 2

export const SendMedia = Tool.make("send_media", {
  version: 1,
  description: "Send the person an image or a file of the workspace, at most 20 MiB",
  tier: "System",
  replay: "Idempotent",
  egress: { texts: ({ path }) => [path] },
  capabilities: [Capability.Channel, Capability.WorkspaceRead],
  parameters: Schema.Struct({ path: Schema.NonEmptyString }),
  output: Schema.Struct({
    path: Schema.String,
    mediaType: Schema.String,
    bytes: Schema.Natural,
    channel: Schema.String
  }),
  forModel: ({ bytes, channel, mediaType, path }) => `Sent ${path} (${mediaType}, ${bytes} bytes) to the ${channel}`,
  execute: Effect.fnUntraced(function* ({ path: requested }) {
    const workspace = yield* Capability.WorkspaceRead
    const people = yield* Capability.Channel
    const { path, sensitivity } = yield* workspace.inspect(requested)
    if (sensitivity === "secret") {
      const reason = `${path} may hold credentials, which are never sent`
      return yield* new ToolError.PermissionDenied({ tier: "System", reason, userMessage: reason })
    }
    const { bytes } = yield* workspace.readFile(requested, maxBytes)
    const { mediaType } = yield* FileKind.detect(bytes)
    const media = { path, mediaType, bytes: bytes.length }
    const { channel } = yield* people.send(
      `${nameText(basename(path))} (${mediaType}, ${bytes.length} bytes): ${nameText(path)}`,
      media
    )
    return Tool.result({
      output: { ...media, channel },
      display: `Sent ${path} (${mediaType}, ${bytes.length} bytes)`,
      artifacts: [{ _tag: "MediaSent", channel, path }]
    })
  })
})

/** Formats a name; a name that would break the line, or hide a part of it, is written as JSON. */
const nameText = (name: string): string =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
    ? JSON.stringify(name).replaceAll(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
        (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`
      )
    : name
