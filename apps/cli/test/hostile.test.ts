/**
 * Hostile text of a model, a file or a server, in any field of any event or entry: only the program's own styles act on
 * a terminal, and no row is forged.
 */
import * as Keymap from "@bough/host/keys/Keymap"
import { Approval, Entry, Event, Session } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import * as Editor from "@bough/tui/editor/Editor"
import * as EditorView from "@bough/tui/editor/EditorView"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { PassThrough } from "node:stream"
import { sampled } from "../../../test/thorough.ts"
import * as ApprovalText from "../src/format/ApprovalText.ts"
import * as EntryText from "../src/format/EntryText.ts"
import * as TreeText from "../src/format/TreeText.ts"
import * as Output from "../src/io/Output.ts"
import * as RunView from "../src/session/RunView.ts"
import * as ConversationView from "../src/ui/plain/ConversationView.ts"
import * as Pager from "../src/ui/plain/Pager.ts"
import type { Block } from "../src/ui/tui/Block.ts"
import * as BlockRows from "../src/ui/tui/BlockRows.ts"
import * as Frame from "../src/ui/tui/Frame.ts"
import * as Question from "../src/ui/tui/Question.ts"
import * as Replay from "../src/ui/tui/Replay.ts"
import * as Transcript from "../src/ui/tui/Transcript.ts"

const forged = "└ y allow FORGED"
/** Every kind of text that a terminal executes, reorders or hides, around a line that looks like the program's own. */
const hostile = [
  "\u001B]0;PWNED\u0007",
  "\u001B]8;;http://evil.test\u001B\\link\u001B]8;;\u001B\\",
  "\u001B]52;c;AA==\u0007",
  "\u001B[2J\u001B[H\u001B[31m\u001BP+q\u001B\\\u001Bc",
  "\u009B2J\u0090q\u009C\u0085",
  "\u202E\u2066\u2069\u200F\u061C",
  "\u0007\b\b\b\u0000\u007F\u000B\u000C",
  `\r${forged}`,
  `\n${forged}\r\n${forged}\n`,
  `\u2028${forged}\u2029${forged}\u0085${forged}`,
  "\t\u200B\u200D\uFEFF\u00AD\u2060\uFE0F\u{E0041}\u3164",
  "\uD800x\uDC00",
  "क्".repeat(200),
  "e\u0301\u0308\u0323".repeat(40)
].join(" ")

/** Every text in a value, by its path. */
const textsIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  if (typeof value === "string") return [path]
  if (value === null || typeof value !== "object") return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
}

const withText = (value: unknown, [key, ...rest]: ReadonlyArray<string>, text: string): unknown => {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((inner, at) => (`${at}` === key ? withText(inner, rest, text) : inner))
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [key]: withText(fields[key], rest, text) }
}

/** The value with hostile text in every field that takes it; a field whose schema refuses it stays unchanged. */
const poisoned = <A>(schema: Schema.Codec<A, unknown>, value: A): { readonly value: A; readonly count: number } => {
  const encode = Schema.encodeSync(schema)
  const decode = Schema.decodeUnknownOption(schema)
  return textsIn(encode(value)).reduce(
    (made, path) => {
      for (const text of [hostile, JSON.stringify({ [hostile]: hostile, path: hostile })]) {
        const found = decode(withText(encode(made.value), path, text))
        if (found._tag === "Some") return { value: found.value, count: made.count + 1 }
      }
      return made
    },
    { value, count: 0 }
  )
}

/** The sequences of the program's own styles. */
// oxlint-disable-next-line no-control-regex -- the first character of a sequence
const styles = /\u001B\[(?:[1-9]|2[2-9]|3[0-9]|9[0-7])m/gu
const acts = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const assertHarmless = (written: string, about: string): void => {
  const shown = written.replaceAll(styles, "")
  const found = acts.exec(shown)
  assert.isNull(found, `${about}: ${JSON.stringify(shown.slice(Math.max(0, (found?.index ?? 0) - 40)).slice(0, 80))}`)
}

const assertRows = (rows: ReadonlyArray<string>, about: string): void => {
  for (const row of rows) {
    assertHarmless(row, about)
    assert.notInclude(row, "\n", about)
    assert.isFalse(row.replaceAll(styles, "").trimStart().startsWith(forged) && !isIndented(row), `${about}: ${row}`)
  }
}

const isIndented = (row: string): boolean => row.replaceAll(styles, "").startsWith("  ")

/** A terminal, and all that is written to it. */
const recorded = (use: (output: Output.Output["Service"]) => void): string => {
  let written = ""
  const stream = () => {
    const made = new PassThrough({ decodeStrings: false, encoding: "utf8" })
    made.write = (chunk: unknown) => {
      written += String(chunk)
      return true
    }
    return Object.assign(made, { isTTY: true, columns: 60, rows: 24 }) as unknown as NodeJS.WriteStream
  }
  use(Output.make({ stdout: stream(), stderr: stream(), variables: {} }, true))
  return written
}

const theme = Theme.themeFor("dark")
const place = { columns: 60, theme }
const screen = { columns: 60, rows: 24, style: theme }

const assertBlocks = (blocks: ReadonlyArray<Block>, about: string): void => {
  for (const block of blocks) {
    const rows = BlockRows.rows(block, null, place)
    // An answer is the model's own, and has the whole width.
    if (block._tag === "Answer") for (const row of rows) assertHarmless(row, about)
    else assertRows(rows, about)
  }
}

const assertFrame = (view: Transcript.Transcript, question: Question.Question | null, about: string): void => {
  const { rows } = Frame.layoutFrame({
    view,
    viewer: null,
    keymap: Keymap.defaults,
    picker: null,
    question,
    mayAnswer: true,
    model: { name: hostile, contextTokens: 1000, effort: hostile },
    editor: EditorView.view(Editor.initial, { width: 58 }),
    hint: hostile,
    columns: 60,
    rows: 200,
    theme,
    nowMillis: 1000
  })
  for (const row of rows) assertHarmless(row, about)
}

const assertQuestion = (request: Approval.Request, about: string): void => {
  const asked = {
    request,
    askedBy: [
      { kind: "Main" as const, title: hostile },
      { kind: "Branch" as const, title: hostile }
    ]
  }
  assertRows(ApprovalText.question(asked, hostile, screen), about)
  assertRows(ApprovalText.allFacts(asked, hostile, screen), about)
  const question = Question.make(asked, hostile, false)
  assertFrame(Transcript.make("ses_1", true), { ...question, position: Pager.unread }, about)
  for (const decision of [
    { _tag: "Denied" as const, words: hostile },
    { _tag: "Approved" as const, rule: hostile }
  ]) {
    assertRows(Question.outcome({ by: hostile, decision }, { columns: 60, theme }), about)
  }
}

const runs = sampled({ arbitrary: { runs: 8, size: 6, maxShrinks: 3 } })

describe("hostile text in an event", () => {
  for (const [tag, schema] of Object.entries(Event.Event.cases)) {
    it.prop(
      `${tag} is harmless in plain lines, in JSON and on the screen`,
      [schema as unknown as Schema.Codec<Event.Event, unknown>],
      ([sample]) => {
        const { count, value: event } = poisoned(Event.Event as Schema.Codec<Event.Event, unknown>, sample)
        assert.isAbove(count, 0)
        for (const main of [event.sessionId, Session.SessionId.make("ses_other")]) {
          const attached: Event.Event = { _tag: "Attached", sessionId: main }
          const lines = recorded((output) => {
            const view = ConversationView.make(output)
            view.show(attached)
            view.show(event)
            view.finishLine()
          })
          const run = recorded((output) => {
            const view = RunView.make("text", output)
            view.show(attached)
            view.show(event)
            view.end(main, { status: "failed", text: hostile, reason: hostile, approvals: [], liveSessions: 0 })
          })
          const json = recorded((output) => RunView.make("stream-json", output).show(event))
          for (const written of [lines, run, json]) assertHarmless(written, tag)
          if (tag !== "TextDelta") assertRows(lines.split("\n"), tag)
          assert.lengthOf(json.split("\n"), 2)
          const change = Transcript.take(Transcript.startTurn(Transcript.make(main, true), 0), event, 1000)
          assertBlocks(change.blocks, tag)
          const settled = Transcript.finishTurn(change.view)
          assertBlocks(settled.blocks, tag)
          assertFrame(change.view, null, tag)
        }
        if (event._tag === "ApprovalAsked") assertQuestion(event.request, tag)
      },
      runs
    )
  }
})

describe("hostile text in an entry", () => {
  for (const [tag, schema] of Object.entries(Entry.Body.cases)) {
    it.prop(
      `${tag} is harmless in sessions show, replay and JSON`,
      [schema as unknown as Schema.Codec<Entry.Body, unknown>],
      ([sample]) => {
        const { value: body } = poisoned(Entry.Body as Schema.Codec<Entry.Body, unknown>, sample)
        assertRows(EntryText.rows({ body, seq: 3 }), tag)
        assertHarmless(
          recorded((output) => output.json(Schema.encodeSync(Entry.Body)(body))),
          tag
        )
        const entry = { body, seq: 3 } as Entry.Entry
        const { blocks, view } = Replay.replay(Transcript.make("ses_1", true), [entry])
        assertBlocks(blocks, tag)
        assertFrame(view, null, tag)
        if (body._tag === "ApprovalAsked") assertQuestion(body.request, tag)
      },
      runs
    )
  }
})

describe("hostile text elsewhere", () => {
  it("is harmless in notes, answers and JSON", () => {
    const written = recorded((output) => {
      output.note(hostile)
      output.answer(hostile.replaceAll(/[\n\t]/gu, " "))
      output.json({ [hostile]: hostile }, 2)
    })
    assert.include(written, "PWNED")
    assertHarmless(written, "Output")
    assertRows(written.split("\n"), "Output")
  })

  it("is harmless in a tree of sessions", () => {
    const { value: summary } = poisoned<Session.Summary>(Session.Summary, {
      sessionId: Session.SessionId.make("ses_1"),
      treeId: Session.SessionId.make("ses_1"),
      kind: "Main" as const,
      state: "Active" as const,
      title: "t",
      user: "u",
      agent: "a",
      workspaceRoot: "/w",
      createdAtMillis: 0,
      updatedAtMillis: 0,
      entries: 1
    })
    for (const columns of [60, null]) {
      const rows = TreeText.rows([{ summary, state: SessionState.empty(), limit: null }], columns)
      assert.isNotEmpty(rows)
      assertRows(rows, "tree")
    }
  })
})
