/** Completion: commands after `/`, paths after `@`, chosen by key and never by accident. */
import { assert, describe, it } from "@effect/vitest"
import * as Editor from "../../src/editor/Editor.ts"
import { view } from "../../src/editor/EditorView.ts"
import * as Fuzzy from "../../src/editor/Fuzzy.ts"
import { all, press, shown, syntax, type } from "./typing.ts"

const offered = (state: Editor.EditorState): ReadonlyArray<string> =>
  state.completion?.items.map(({ label }) => label) ?? []

const paths = (request: number, ...found: ReadonlyArray<string>): Editor.Event => ({
  _tag: "PathsCompleted",
  request,
  paths: found.map((path) => ({ path: path.replace(/\/$/u, ""), isFolder: path.endsWith("/") }))
})

/** The number of the last request. */
const askCount = ({ actions }: Editor.EditorUpdate): number =>
  actions.reduce((last, action) => (action._tag === "CompletePaths" ? action.request : last), 0)

const typedThen = (text: string, ...found: ReadonlyArray<string>): Editor.EditorState => {
  const updated = all([type(text)])
  return all([paths(askCount(updated), ...found)], updated.state).state
}

describe("Completion of commands", () => {
  it("offers all at a slash, and fewer with each letter", () => {
    assert.strictEqual(offered(all([type("/")]).state).length, syntax.commands.length)
    assert.deepStrictEqual(offered(all([type("/co")]).state).slice(0, 2), ["/cost", "/compact"])
    assert.deepStrictEqual(offered(all([type("/q")]).state), ["/quit"])
  })

  it("offers none within a message", () => {
    assert.isNull(all([type("see /mod")]).state.completion)
    assert.isNull(all([type("/model x")]).state.completion)
    assert.isNull(all([type("!/mod")]).state.completion)
  })

  it("runs a command without arguments at Enter, and waits for those of another", () => {
    assert.deepInclude(all([type("/qu"), press("enter")]).actions, {
      _tag: "RunSlashCommand",
      name: "quit",
      arguments: ""
    })
    const { actions, state } = all([type("/mod"), press("enter")])
    assert.deepStrictEqual(actions, [])
    assert.strictEqual(shown(state), "/model |")
    assert.deepInclude(all([type("openai/gpt-x "), press("enter")], state).actions, {
      _tag: "RunSlashCommand",
      name: "model",
      arguments: "openai/gpt-x"
    })
  })

  it("runs a command that is typed in full, with arguments or without", () => {
    assert.deepInclude(all([type("/model"), press("enter")]).actions, {
      _tag: "RunSlashCommand",
      name: "model",
      arguments: ""
    })
  })

  it("moves through the offers by up and down, around", () => {
    const { state } = all([
      type("/"),
      press("down"),
      press("down"),
      press("up"),
      press("up"),
      press("up"),
      press("tab")
    ])
    assert.strictEqual(
      shown(state),
      `/${
        offered(all([type("/")]).state)
          .at(-1)
          ?.slice(1)
          .split(" ")[0]
      }|`
    )
  })

  it("closes at Escape, and stays closed for this word", () => {
    const { actions, state } = all([type("/mo"), press("escape"), type("d")])
    assert.deepStrictEqual([actions, state.completion], [[], null])
    assert.isNotNull(all([press("ctrl-u"), type("/mo")], state).state.completion)
  })

  it("leaves up to the history after a command was recalled from it", () => {
    const { state } = all([type("/help"), press("enter"), type("one"), press("enter"), press("up"), press("up")])
    assert.strictEqual(shown(state), "/help|")
    assert.isNull(state.completion)
  })
})

describe("Completion of a command's arguments", () => {
  const known: Editor.Event = {
    _tag: "ArgumentsKnown",
    command: "sessions",
    options: [
      ["ses_02", "of pears"],
      ["ses_01", "of plums"]
    ]
  }
  const from = (...events: ReadonlyArray<Editor.Event>): Editor.EditorUpdate => all([known, ...events])
  const sends = (callArguments: string) =>
    ({ _tag: "RunSlashCommand", name: "sessions", arguments: callArguments }) as const

  it("offers the known values of that command, by name or description", () => {
    assert.deepStrictEqual(offered(from(type("/sessions ")).state), ["ses_02", "ses_01"])
    assert.deepStrictEqual(offered(from(type("/sessions PLUM")).state), ["ses_01"])
    for (const text of ["/sessions apple", "/sessions ses_02", "/model s", "see /sessions s", "/sessions s s"]) {
      assert.isNull(from(type(text)).state.completion, text)
    }
  })

  it("sends typed text unchanged, and an offered value only when it was chosen", () => {
    assert.deepInclude(from(type("/sessions ses"), press("enter")).actions, sends("ses"))
    assert.deepInclude(from(type("/sessions "), press("enter")).actions, sends(""))
    assert.deepInclude(from(type("/sessions "), press("down"), press("enter")).actions, sends("ses_02"))
    assert.deepInclude(from(type("/sessions "), press("up"), press("enter")).actions, sends("ses_01"))
    assert.deepInclude(from(type("/sessions plum"), press("tab"), press("enter")).actions, sends("ses_01"))
  })
})

describe("Completion of arguments that the host lists", () => {
  const known = (...names: ReadonlyArray<string>): Editor.Event => ({
    _tag: "ArgumentsKnown",
    command: "sessions",
    options: names.map((name) => [name, ""])
  })
  const asks = { _tag: "CompleteArguments", command: "sessions" } as const

  it("requests the list when an argument begins, not with each letter, and again for the next one", () => {
    const { actions, state } = all([known(), type("/sessions "), type("s"), type("e")])
    assert.deepStrictEqual(actions, [asks])
    assert.deepStrictEqual(all([press("ctrl-u"), type("/sessions ")], state).actions, [asks])
    assert.deepStrictEqual(all([known(), type("/model ")]).actions, [])
  })

  it("opens the menu with the answer, keeps the chosen item, and closes it without items", () => {
    const empty = all([known(), type("/sessions ")]).state
    assert.isNull(empty.completion)
    const listed = all([known("ses_1", "ses_2")], empty).state
    assert.deepStrictEqual(offered(listed), ["ses_1", "ses_2"])
    const newer = all([press("down"), press("down"), known("ses_3", "ses_2")], listed)
    assert.deepStrictEqual([offered(newer.state), newer.actions], [["ses_3", "ses_2"], []])
    assert.deepInclude(all([press("enter")], newer.state).actions, {
      _tag: "RunSlashCommand",
      name: "sessions",
      arguments: "ses_2"
    })
    assert.isNull(all([known()], newer.state).state.completion)
  })

  it("does not open a closed menu, and does not change the menu of another command", () => {
    const closed = all([known("ses_1"), type("/sessions "), press("escape"), known("ses_2")]).state
    assert.isNull(closed.completion)
    const other = all([known("ses_1"), type("/mo"), known("ses_2")]).state
    assert.include(offered(other), "/model [provider/model]")
  })
})

describe("Completion of paths", () => {
  it("requests the text after the sign, and uses only the newest answer", () => {
    const updated = all([type("read @"), type("s"), type("r")])
    assert.deepStrictEqual(
      updated.actions.map((action) => (action._tag === "CompletePaths" ? action.query : action)),
      ["", "s", "sr"]
    )
    const late = all([paths(1, "late.ts")], updated.state).state
    assert.deepStrictEqual(offered(late), [])
    assert.deepStrictEqual(offered(all([paths(3, "src/")], late).state), ["src/"])
  })

  it("requests nothing in an address, in a command, or without a sign", () => {
    assert.deepStrictEqual(all([type("write to me@example.org"), type(" src")]).actions, [])
    assert.deepStrictEqual(all([type("!git show @")]).actions, [])
  })

  it("inserts the chosen file, and does not send", () => {
    const { actions, state } = all([press("enter")], typedThen("read @ma", "src/main.ts", "README.md"))
    assert.strictEqual(shown(state), "read @src/main.ts |")
    assert.deepStrictEqual(actions, [])
    assert.isNull(state.completion)
  })

  it("continues in a folder", () => {
    const updated = all([press("tab")], typedThen("@s", "src/"))
    assert.strictEqual(shown(updated.state), "@src/|")
    assert.deepInclude(updated.actions, { _tag: "CompletePaths", request: 2, query: "src/" })
  })

  it("quotes blanks, and continues in a quoted folder", () => {
    assert.strictEqual(shown(all([press("tab")], typedThen("@m", "my file.txt")).state), '@"my file.txt" |')
    const inside = all([press("tab")], typedThen("@m", "my folder/"))
    assert.strictEqual(shown(inside.state), '@"my folder/|')
    const done = all([paths(2, 'my folder/a "b".txt'), press("tab")], inside.state).state
    assert.strictEqual(shown(done), String.raw`@"my folder/a \"b\".txt" |`)
  })

  it("sends a path at Enter that is typed in full", () => {
    const { actions } = all([press("enter")], typedThen("@src/main.ts", "src/main.ts"))
    assert.deepInclude(actions, { _tag: "Submit", text: "@src/main.ts", images: [] })
  })

  it("chooses nothing that was offered for other letters", () => {
    const { actions } = all([type("x"), press("enter")], typedThen("@m", "main.ts"))
    assert.deepInclude(actions, { _tag: "Submit", text: "@mx", images: [] })
  })

  it("looks for the image behind a chosen path", () => {
    const { actions, state } = all([press("tab")], typedThen("@lo", "logo.png"))
    assert.deepStrictEqual(actions, [{ _tag: "FindImages", request: 2, paths: ["logo.png"] }])
    assert.strictEqual(shown(state), "@logo.png |")
  })

  it("reports that no file matches", () => {
    const { footer } = view(typedThen("@nothing"), { width: 80 })
    assert.deepStrictEqual<unknown>(footer, [[{ kind: "hint", text: "no file has such a name" }]])
  })

  it("shows few of many, the selected one among them", () => {
    const many = Array.from({ length: 40 }, (_, index) => `file${index}`)
    const { state } = all(
      Array.from({ length: 20 }, () => press("down")),
      typedThen("@", ...many)
    )
    const { footer } = view(state, { width: 80 })
    assert.strictEqual(footer.length, 9)
    assert.deepStrictEqual(
      footer.flat().filter(({ kind }) => kind === "selected"),
      [{ kind: "selected", text: "file20" }]
    )
  })
})

describe("Fuzzy", () => {
  const best = (query: string, ...candidates: ReadonlyArray<string>) =>
    Fuzzy.best(candidates, (candidate) => candidate, { query, limit: 9 })

  it("matches letters in their order, in any case", () => {
    assert.deepStrictEqual(best("EdTs", "src/Editor.ts", "src/std.ts", "dest"), ["src/Editor.ts"])
  })

  it("prefers the last part, its beginning, and short paths", () => {
    assert.deepStrictEqual(best("view", "view/a/b.ts", "src/Review.ts", "src/long/View.ts", "src/View.ts"), [
      "src/View.ts",
      "src/long/View.ts",
      "src/Review.ts",
      "view/a/b.ts"
    ])
  })
})
