/**
 * Shares a conversation as a secret gist of the user's GitHub account, with the user's own `gh`: as a page and as
 * Markdown. The user sees what leaves the machine first.
 */
import { SystemError } from "@bough/disk"
import type { Settings } from "@bough/host/config/Settings"
import { redactionOf } from "@bough/host/session/SecretSearch"
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as HostProgram from "@bough/workspace/repository/HostProgram"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CliFailure, exitCode, exitSilently, failure, usage } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"
import * as ConversationDocument from "../format/ConversationDocument.ts"
import type { Program } from "../Program.ts"
import { loadEntries } from "../ui/conversation/loadEntries.ts"

export interface ShareOptions {
  readonly sessionId: Session.SessionId
  /** True: the user has agreed on the command line. */
  readonly isConfirmed: boolean
}

/** Returns the address of the gist. Fails without an upload if the user does not agree. */
export const share = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { isConfirmed, sessionId }: ShareOptions
): Effect.fn.Return<string, CliFailure, SessionStore.SessionStore> {
  const { name, output, terminal } = program
  if (!isConfirmed && !terminal.isInteractive) {
    return yield* usage("sharing needs your consent", `run it in a terminal, or with "${name} sessions share ID --yes"`)
  }
  const gh = yield* findGh(settings)
  const document = yield* read(settings, sessionId)
  const { calls, hidden, html, markdown, messages, title } = document
  const kilobytes = Math.ceil((Buffer.byteLength(html) + Buffer.byteLength(markdown)) / 1000)
  output.noteEscaped(text`share ${Escape.line(JSON.stringify(title))}:`)
  output.note(
    `  ${count(messages, "message")} and a line for each of ${count(calls, "call")}, as a page and as Markdown (${kilobytes} kB)`
  )
  output.note(`  ${hidden === 0 ? "no secrets were found in them" : `secrets are hidden in ${count(hidden, "text")}`}`)
  output.note(`  gh uploads them to ${hostOf(settings)} as a secret gist: anyone with the link can read it`)
  if (!isConfirmed && !(yield* isAgreed(program))) return yield* exitSilently(exitCode.interrupted)
  return yield* upload(settings, gh, document)
})

const count = (number: number, name: string): string => `${number} ${name}${number === 1 ? "" : "s"}`

const hostOf = ({ environment: { variables } }: Settings): string => variables["GH_HOST"] ?? "github.com"

const isAgreed = ({ output, terminal }: Program): Effect.Effect<boolean> =>
  Effect.map(
    terminal.readKey(["y", "n"], () => output.noteEscaped(text`└ y upload · n keep it here`)),
    (key) => key === "y"
  )

interface SharedDocument {
  readonly title: string
  readonly html: string
  readonly markdown: string
  readonly messages: number
  readonly calls: number
  /** The number of texts in which secrets were hidden. */
  readonly hidden: number
}

const read = Effect.fnUntraced(function* (
  settings: Settings,
  sessionId: Session.SessionId
): Effect.fn.Return<SharedDocument, CliFailure, SessionStore.SessionStore> {
  const store = yield* SessionStore.SessionStore
  const entries = yield* loadEntries(store, sessionId)
  if (entries.length === 0) return yield* usage("nothing to share yet", "send a message first")
  const description = yield* store.session(sessionId).pipe(Effect.mapError(toCliFailure))
  // The journal hides the secrets that were known when it was written; others may be known by now.
  const { redact } = redactionOf(settings)
  let hidden = 0
  const redactCounting = (text: string): string => {
    const shown = redact(text)
    if (shown !== text || text.includes("[redacted")) hidden += 1
    return shown
  }
  const title = redact(description.title)
  const markdown = ConversationDocument.toMarkdown(title, entries, redactCounting)
  return {
    title,
    markdown,
    html: ConversationDocument.toHtml(title, entries, redact),
    ...ConversationDocument.size(entries),
    hidden
  }
})

/** A program in the workspace, which an agent may have written, is not used. */
const findGh = (settings: Settings): Effect.Effect<string, CliFailure> => {
  const {
    environment,
    workspace: { additionalDirectories, repositoryRoot, root: workspaceRoot }
  } = settings
  const writable = [workspaceRoot, repositoryRoot, ...additionalDirectories.map(({ path }) => path)]
  const found = HostProgram.find({ root: workspaceRoot, writable, variables: environment.variables }, "gh")
  return found === null
    ? Effect.fail(
        failure(
          "gh, GitHub's program, is not on PATH",
          'install it and run "gh auth login"; "/export page.html" writes the page without it'
        )
      )
    : Effect.succeed(found.path)
}

const upload = (
  settings: Settings,
  gh: string,
  { html, markdown, title }: SharedDocument
): Effect.Effect<string, CliFailure> =>
  Effect.acquireUseRelease(
    Effect.try({
      try: () => {
        const folder = mkdtempSync(join(tmpdir(), "bough-share-"))
        writeFileSync(join(folder, "conversation.md"), markdown, { flag: "wx", mode: 0o600 })
        writeFileSync(join(folder, "conversation.html"), html, { flag: "wx", mode: 0o600 })
        return folder
      },
      catch: (cause) => failure(`cannot write the conversation: ${SystemError.reason(cause)}`, "", cause)
    }),
    (folder) =>
      Effect.flatMap(run(settings, gh, { folder, title }), ({ code, stderr, stdout }) => {
        const url = /https?:\/\/\S+/u.exec(stdout)?.[0]
        if (code === 0 && url !== undefined) return Effect.succeed(url)
        const errorOutput = stderr.replaceAll(/\s+/gu, " ").trim().slice(0, 300)
        return Effect.fail(failure(`gh did not upload it: ${errorOutput || `exit ${code}`}`, 'run "gh auth status"'))
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

interface Upload {
  readonly folder: string
  readonly title: string
}

const run = ({ environment: { variables } }: Settings, gh: string, { folder, title }: Upload) =>
  Effect.callback<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }, CliFailure>(
    (resume) => {
      const words = ["gist", "create", "conversation.md", "conversation.html", `--desc=${title}`]
      const child = spawn(gh, words, {
        cwd: folder,
        env: { ...variables, ...quiet },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let [stdout, stderr] = ["", ""]
      child.stdout.on("data", (data: Buffer) => void (stdout += data.toString("utf8")))
      child.stderr.on("data", (data: Buffer) => void (stderr += data.toString("utf8")))
      child.on("error", (cause) =>
        resume(Effect.fail(failure(`cannot start gh: ${SystemError.reason(cause)}`, "", cause)))
      )
      child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
      return Effect.sync(() => void child.kill())
    }
  )

/** gh asks nothing, because the user has agreed already. */
const quiet = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" }
