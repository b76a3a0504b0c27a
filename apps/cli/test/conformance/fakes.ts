/**
 * Fakes of the capabilities whose real services need a model, a network, or another session. Their calls succeed, so that
 * the conformance kit can disturb each of them, and `state` shows their effects.
 */
import { Budget, Note, Session, ToolError } from "@bough/protocol"
import { Capability, type MemoryRead, type MemoryWrite, type Spawn } from "@bough/tool"
import type { World } from "@bough/tool/testing"
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"

/** The commands of a session of which one runs in the background. */
export const execution = (): World => {
  const run: Array<string> = []
  const output = { commandId: "command_1", text: "ready\n", fromOffset: 0, nextOffset: 6, ended: null }
  const did = (what: unknown) => Effect.sync(() => void run.push(JSON.stringify(what)))
  const service: Capability.Execution["Service"] = {
    run: (invoke) =>
      Effect.as(did(invoke), {
        exitCode: 0,
        signal: null,
        stdout: "done\n",
        stderr: "",
        omittedBytes: 0,
        elapsedMillis: 1
      }),
    background: {
      start: (invoke) => Effect.as(did(invoke), { commandId: output.commandId }),
      read: () => Effect.succeed(output),
      write: (_, text) => did(text),
      stop: (commandId) =>
        Effect.as(did({ commandId }), { ...output, ended: { exitCode: null, signal: "SIGKILL", reason: "stopped" } })
    }
  }
  return { provisions: [Capability.provide(Capability.Execution, { service })], state: () => run }
}

/** A network with one page, which takes requests. */
export const network = (): World => {
  const sent: Array<string> = []
  const response = (url: string) => ({
    url,
    status: 200,
    headers: { "content-type": "text/html" },
    body: Buffer.from("<title>Engines</title><h1>Engines</h1><p>They count.</p>")
  })
  const read: Capability.NetworkRead["Service"] = {
    get: (url) => Effect.succeed(response(url)),
    inspect: (url) => Effect.succeed({ url, host: new URL(url).hostname, port: 443, guard: null, nearAddresses: [] }),
    search: ({ query }) =>
      Effect.succeed({ provider: "sample", results: [{ title: query, url: "https://example.test/", snippet: "…" }] })
  }
  const write: Capability.NetworkWrite["Service"] = {
    send: ({ method, url }) => Effect.sync(() => (sent.push(`${method} ${url}`), response(url)))
  }
  return {
    provisions: [
      Capability.provide(Capability.NetworkRead, { service: read }),
      Capability.provide(Capability.NetworkWrite, { service: write })
    ],
    state: () => sent
  }
}

/** A session with the child `ses_1`, whose calls have their effect once. */
export const session = (): World => {
  const done = new Set<string>()
  const child: Spawn.Child = {
    sessionId: Session.SessionId.make("ses_1"),
    kind: "Branch",
    state: "Completed",
    title: "look",
    approvals: [],
    spent: Budget.nothing,
    result: {
      status: "Completed",
      reason: "",
      summary: "found it",
      output: null,
      artifacts: [{ _tag: "MediaSent", path: "a.txt", channel: "test" }],
      memoryIds: [],
      usage: Budget.nothing
    }
  }
  const after = <A>(what: unknown, value: A) => Effect.sync(() => (done.add(JSON.stringify(what)), value))
  const spawn: Spawn.Spawn["Service"] = {
    spawn: (request) => after(request, child),
    wait: () => Effect.succeed([child]),
    list: () => Effect.succeed([child]),
    steer: (sessionId, text) => after({ sessionId, text }, child),
    cancel: (sessionId, reason) => after({ sessionId, reason }, child)
  }
  const send: Capability.Channel["Service"]["send"] = (text) => after(text, { messageId: "msg_1", channel: "test" })
  const run: Capability.Chain["Service"]["run"] = (links) =>
    Effect.succeed(
      links.map(({ name, tool }) => ({ name, tool, status: "succeeded", text: "done", display: "Done", isLast: true }))
    )
  return {
    provisions: [
      Capability.provide(Capability.Spawn, { service: spawn }),
      Capability.provide(Capability.Channel, { service: { send } }),
      Capability.provide(Capability.Chain, { service: { run } })
    ],
    state: () => [...done]
  }
}

const path = "notes.md"

/** A memory with the note `note-1` and the file `notes.md`, a scratchpad, and the earlier session `ses_1`. */
export const memory = (): World => {
  const note = (noteId: string, text: string): Note.Note => ({
    noteId: Note.NoteId.make(noteId),
    kind: "fact",
    text,
    tags: [],
    source: "session ses_1",
    untrusted: false,
    createdAtMillis: 0,
    updatedAtMillis: 0,
    project: null,
    validUntilMillis: null
  })
  const notes = new Map([["note-1", note("note-1", "Tea is preferred")]])
  const files = new Map([[path, "# Notes\n"]])
  let items: ReadonlyArray<string> = []
  const contentOf = (file: string): Effect.Effect<string, ToolError.ToolError> => {
    const content = files.get(file)
    return content === undefined
      ? Effect.fail(new ToolError.ValidationError({ message: "no such file", field: "path", issues: [] }))
      : Effect.succeed(content)
  }
  const write = (file: string, content: string) =>
    Effect.sync(() => (files.set(file, content), { path: file, bytes: content.length }))
  const store = (noteId: string, { text }: MemoryWrite.MemoryText) =>
    Effect.sync((): MemoryWrite.MemorySaved => {
      const known = [...notes.values()].find((one) => one.text === text)
      if (known !== undefined) return { status: "Kept", note: known, known: [known], near: [], hidden: [] }
      const saved = note(noteId, text)
      notes.set(noteId, saved)
      return { status: "Saved", note: saved, known: [], near: [], hidden: [] }
    })
  const reads: MemoryRead.MemoryRead["Service"] = {
    search: () =>
      Effect.sync(() => ({
        notes: [...notes.values()].map((one) => ({ note: one, score: 0.9, confidence: "sure" as const })),
        fits: true,
        wordsOnly: null
      })),
    get: (noteId) => Effect.sync(() => notes.get(noteId) ?? null),
    conversations: () => Effect.succeed({ said: [], notIndexed: 0 }),
    history: () => Effect.succeed([]),
    listFiles: Effect.sync(() => [...files].map(([file, text]) => ({ path: file, summary: "", bytes: text.length }))),
    readFile: contentOf
  }
  const writes: MemoryWrite.MemoryWrite["Service"] = {
    save: (text) => store("note-2", text),
    update: (noteId, text) => store(noteId, text),
    remove: (noteId) => Effect.sync(() => void notes.delete(noteId)),
    writeFile: write,
    editFile: (file, edit) => Effect.flatMap(Effect.flatMap(contentOf(file), edit), (content) => write(file, content))
  }
  const scratchpad: Capability.Scratchpad["Service"] = {
    read: Effect.sync(() => ({ items, updatedAtMillis: 0 })),
    write: (given) => Effect.sync(() => ((items = given), { items, updatedAtMillis: 0 }))
  }
  const summary: Session.Summary = {
    sessionId: Session.SessionId.make("ses_1"),
    treeId: Session.SessionId.make("ses_1"),
    kind: "Main",
    state: "Completed",
    title: "look",
    user: "ada",
    agent: "main",
    workspaceRoot: "/work",
    entries: 1,
    createdAtMillis: 0,
    updatedAtMillis: 0
  }
  const history: Capability.History["Service"] = {
    list: () => Effect.succeed([summary]),
    replay: () => Effect.succeed({ items: [{ seq: 0, from: "user", text: "look" }], nextSeq: null }),
    archive: () => Effect.succeed({ items: ["{}"], nextSeq: null })
  }
  return {
    provisions: [
      Capability.provide(Capability.MemoryRead, { service: reads }),
      Capability.provide(Capability.MemoryWrite, { service: writes }),
      Capability.provide(Capability.Scratchpad, { service: scratchpad }),
      Capability.provide(Capability.History, { service: history })
    ],
    state: () => ({ notes: [...notes], files: [...files], items })
  }
}

/** A language server that finds each name in the first line of `a.txt`. */
export const languageServer = (): World => {
  const location = { path: "a.txt", line: 1, column: 1, endLine: 1, endColumn: 4 }
  const results = <A>(...found: ReadonlyArray<A>) => Effect.succeed({ items: found, omitted: 0 })
  const symbols = results({ ...location, name: "one", kind: "function", container: null })
  const service: Capability.CodeIntelligence["Service"] = {
    diagnostics: () => Effect.succeed({ server: "sample", problems: [], isComplete: true }),
    symbols: () => symbols,
    findSymbols: () => symbols,
    hover: () => Effect.succeed("const one: number"),
    definition: () => results(location),
    references: () => results(location),
    rename: (_path, _position, newText) => Effect.succeed([{ path: "a.txt", edits: [{ ...location, newText }] }])
  }
  return { provisions: [Capability.provide(Capability.CodeIntelligence, { service })] }
}

/** A vault with the entry `NPM_TOKEN`. */
export const vault = (): World => {
  const copies = new Set<string>()
  const service: Capability.Vault["Service"] = {
    names: Effect.succeed(["NPM_TOKEN"]),
    read: () => Effect.succeed(Buffer.from("npm_4f7c1b2a9d")),
    markCopy: (_name, copy) => Effect.sync(() => void copies.add(copy)),
    isCopy: (copy) => Effect.sync(() => copies.has(copy))
  }
  return { provisions: [Capability.provide(Capability.Vault, { service })], state: () => [...copies] }
}
