/** The effects that a call left in the world. Paths are relative to the workspace root; digests are `sha256:<hex>`. */
import * as Schema from "effect/Schema"

export const Artifact = Schema.TaggedUnion({
  FileWritten: { path: Schema.String, bytes: Schema.Natural, digest: Schema.String },
  FileDeleted: { path: Schema.String },
  /** A directory that was created, or copied with that number of files. */
  DirectoryWritten: { path: Schema.String, files: Schema.Natural },
  FileMoved: { from: Schema.String, to: Schema.String },
  CommandExecuted: {
    command: Schema.String,
    exitCode: Schema.NullOr(Schema.Int),
    /** Set if the command continues after the call, until a CommandEnded of that id. */
    commandId: Schema.optionalKey(Schema.String)
  },
  MessageSent: { channel: Schema.String, messageId: Schema.String },
  MemoryWritten: { noteId: Schema.String },
  MemoryDeleted: { noteId: Schema.String },
  MediaSent: { channel: Schema.String, path: Schema.String },
  /** `bytes`: the bytes that were sent to the host; for a command, which sends through a proxy, the total. */
  RequestSent: {
    method: Schema.String,
    url: Schema.String,
    status: Schema.NullOr(Schema.Int),
    bytes: Schema.optionalKey(Schema.Natural)
  },
  SessionEnded: { sessionId: Schema.String },
  /**
   * An artifact of a pack's own kind: `Artifact.make` of `@bough/tool`. `kind` has a namespace, as in
   * "acme/RowsChanged".
   */
  Declared: { kind: Schema.NonEmptyString, data: Schema.Json }
})
export type Artifact = typeof Artifact.Type
