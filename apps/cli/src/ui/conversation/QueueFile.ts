/**
 * The queued input of a conversation in a file of the data directory, so that the end of the process loses none of it.
 * Only the process that has the session open uses its file.
 */
import { Directory, SmallFile } from "@bough/disk"
import { Message } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { UserInput } from "./UserInput.ts"

const Queued = Schema.TaggedUnion({
  Say: { text: Schema.String, media: Schema.Array(Message.Media) },
  RunCommand: { command: Schema.String },
  RunSlashCommand: { name: Schema.String, arguments: Schema.String }
})
type Queued = typeof Queued.Type

const Stored = Schema.fromJsonString(Schema.Struct({ v: Schema.Literal(1), queued: Schema.Array(Queued) }))
const decode = Schema.decodeUnknownOption(Stored)
const encode = Schema.encodeSync(Stored)

const pathOf = (dataDirectory: string, sessionId: string): string => join(dataDirectory, "queued", `${sessionId}.json`)

/** Returns what an earlier process left in the queue, oldest first; a file that cannot be read has nothing. */
export const read = (dataDirectory: string, sessionId: string): ReadonlyArray<UserInput> => {
  const text = Result.getOrElse(
    Result.try(() => readFileSync(pathOf(dataDirectory, sessionId), "utf8")),
    () => ""
  )
  return Option.match(decode(text), {
    onNone: () => [],
    onSome: ({ queued }) => queued.map((input): UserInput => (input._tag === "Say" ? { ...input, waits: true } : input))
  })
}

/** Replaces the queue; without input, the file is removed. Throws the system's error. */
export const write = (dataDirectory: string, sessionId: string, inputs: ReadonlyArray<UserInput>): void => {
  const queued = inputs.flatMap((input): ReadonlyArray<Queued> => (isStored(input) ? [input] : []))
  if (queued.length === 0) return remove(dataDirectory, sessionId)
  Directory.make(join(dataDirectory, "queued"))
  SmallFile.replace(pathOf(dataDirectory, sessionId), encode({ v: 1, queued }))
}

export const remove = (dataDirectory: string, sessionId: string): void =>
  rmSync(pathOf(dataDirectory, sessionId), { force: true })

/** True for messages and commands; a line that may contain a provider's key is not stored. */
const isStored = (input: UserInput): input is Extract<UserInput, Queued | { readonly _tag: "Say" }> => {
  switch (input._tag) {
    case "Say":
    case "RunCommand":
      return true
    case "RunSlashCommand":
      return input.name !== "login"
    case "Refused":
    case "LeaveRunning":
    case "Quit":
      return false
  }
}
