/** `/export` and `/rename`: the conversation as a document for users, and its name. */
import { SystemError } from "@bough/disk"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { extname, resolve } from "node:path"
import { type CliFailure, failure, usage } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import * as ConversationDocument from "../../format/ConversationDocument.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import { loadEntries } from "./loadEntries.ts"
import type { SessionWithModel } from "./OpenedSession.ts"

type CommandResult = Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore>

const formats = { ".md": ConversationDocument.toMarkdown, ".html": ConversationDocument.toHtml } as const
const isKnown = (extension: string): extension is keyof typeof formats => Object.hasOwn(formats, extension)

/** Writes a new file, readable by the user alone, because the conversation may be private. */
export const exportTo = (
  { ui, settings }: ConversationContext,
  { session: { sessionId } }: SessionWithModel,
  argument: string
): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const name = argument === "" ? `bough-${sessionId.replace(/^ses_/u, "").slice(0, 8)}.md` : argument
    const extension = extname(name)
    if (!isKnown(extension)) {
      return yield* usage(`cannot export to ${JSON.stringify(name)}`, "name a file that ends in .md or .html")
    }
    const store = yield* SessionStore.SessionStore
    const entries = yield* loadEntries(store, sessionId)
    if (entries.length === 0) return yield* usage("nothing to export yet", "send a message first")
    const { title } = yield* store.session(sessionId).pipe(Effect.mapError(toCliFailure))
    const path = resolve(settings.workspace.root, name)
    yield* Effect.try({
      try: () => writeFileSync(path, formats[extension](title, entries), { flag: "wx", mode: 0o600 }),
      catch: (cause) => failure(`cannot write ${path}: ${SystemError.reason(cause)}`, "name another file", cause)
    })
    ui.note(`exported to ${path}`)
    return "stay"
  })

const maxNameLength = 200

export const rename = (
  { ui }: ConversationContext,
  { session: { sessionId } }: SessionWithModel,
  argument: string
): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const title = argument.replaceAll(/\s+/gu, " ").trim()
    if (title === "" || title.length > maxNameLength) {
      return yield* usage(`a name has 1 to ${maxNameLength} characters`, "/rename NAME")
    }
    const store = yield* SessionStore.SessionStore
    yield* store.describe(sessionId, { title }).pipe(
      Effect.catchTag("SessionNotFound", () => usage("nothing to rename yet", "send a message first")),
      // No earlier title is expected, so this conflict cannot occur.
      Effect.catchTag("DescriptionChanged", Effect.die),
      Effect.mapError(toCliFailure)
    )
    ui.session.renamed(title)
    ui.note(`this session is now called ${title}`)
    return "stay"
  })
