/** Handlers of artifacts: the outputs and files of a session's calls, addressed by their entry. */
import { Api, Problem } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as DownloadResponse from "../files/DownloadResponse.ts"
import * as FileType from "../files/FileType.ts"
import * as ResultArtifacts from "../files/ResultArtifacts.ts"
import * as SessionFiles from "../files/SessionFiles.ts"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import { Workspaces } from "../sessions/Workspaces.ts"

const defaultLimit = 50
/** Entries that one request reads at most. */
const maxRead = 2_000
const pageSize = 200
const maxFileBytes = 64 * 1024 * 1024

export const layer = HttpApiBuilder.group(
  Api.Api,
  "artifacts",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const blobs = yield* BlobStore.BlobStore
    const ownSessions = yield* OwnSessions
    const workspaces = yield* Workspaces

    const fileMissing = () =>
      new Problem.NotFound({ detail: "the file has changed since the call wrote it, or is missing" })

    const contentOf = Effect.fnUntraced(function* (
      session: Session.Summary,
      { source }: ResultArtifacts.ArtifactEntry
    ) {
      switch (source._tag) {
        case "Image":
          return Buffer.from(source.media.data, "base64")
        case "Blob":
          return (yield* Effect.orDie(blobs.get(source.digest))) ?? (yield* fileMissing())
        case "File": {
          if (workspaces.idOf(session.workspaceRoot) === null) return yield* fileMissing()
          const read = SessionFiles.read(session, (files) => files.readFile(source.path, maxFileBytes))
          const { bytes, digest } = yield* Effect.mapError(read, fileMissing)
          return source.digest === null || digest === source.digest ? bytes : yield* fileMissing()
        }
      }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const session = yield* ownSessions.find(params.sessionId)
        const limit = query.limit ?? defaultLimit
        const fromSeq = query.fromSeq ?? 0
        const items: Array<ResultArtifacts.ArtifactEntry["artifact"]> = []
        let seq = fromSeq
        while (items.length < limit && seq < fromSeq + maxRead) {
          const entries = yield* Effect.orDie(store.entries(session.sessionId, seq, pageSize))
          for (const entry of entries) {
            const found = ResultArtifacts.fromEntry(entry)
            // The artifacts of one entry are on the same page, unless they alone exceed it.
            if (items.length > 0 && items.length + found.length > limit) return { items, nextSeq: seq }
            items.push(...found.map(({ artifact }) => artifact))
            seq = entry.seq + 1
          }
          if (entries.length < pageSize) return { items, nextSeq: null }
        }
        return { items, nextSeq: seq }
      }),
      download: Effect.fnUntraced(function* ({ params }) {
        const session = yield* ownSessions.find(params.sessionId)
        const sequence = Number(params.artifactId.split("-", 1)[0])
        const [entry] = yield* Effect.orDie(store.entries(session.sessionId, sequence, 1))
        const found =
          entry === undefined
            ? []
            : ResultArtifacts.fromEntry(entry).filter(({ artifact }) => artifact.id === params.artifactId)
        const [one] = found
        if (one === undefined) return yield* new Problem.NotFound({})
        const content = yield* contentOf(session, one)
        const mediaType = yield* FileType.fromHead(content.subarray(0, FileType.headBytes))
        return DownloadResponse.make({ name: one.artifact.name, mediaType, bytes: content.length, content })
      })
    })
  })
)
