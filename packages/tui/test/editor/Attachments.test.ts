/** Attaching: a dropped path becomes an image once the host has found it, wherever the text has moved meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import type * as Editor from "../../src/editor/Editor.ts"
import { view } from "../../src/editor/EditorView.ts"
import { all, imageOf, paste, press, shown, type } from "./typing.ts"

const found = (request: number, ...paths: ReadonlyArray<string>): Editor.Event => ({
  _tag: "ImagesFound",
  request,
  images: paths.map(imageOf),
  refused: []
})

const refused = (request: number, path: string): Editor.Event => ({
  _tag: "ImagesFound",
  request,
  images: [],
  refused: [{ path, message: "it is too large" }]
})

describe("Attaching", () => {
  it("requests the dropped paths, and puts the images in their places", () => {
    const dropped = all([type("compare "), paste("/tmp/a.png '/tmp/b c.jpg' ")])
    assert.deepStrictEqual(dropped.actions, [{ _tag: "FindImages", request: 1, paths: ["/tmp/a.png", "/tmp/b c.jpg"] }])
    const { actions, state } = all([found(1, "/tmp/a.png", "/tmp/b c.jpg"), type("please")], dropped.state)
    assert.strictEqual(shown(state), "compare [image a.png] [image b c.jpg] please|")
    assert.deepStrictEqual(actions, [])
    assert.deepInclude(all([press("enter")], state).actions, {
      _tag: "Submit",
      text: "compare [image a.png] [image b c.jpg] please",
      images: [imageOf("/tmp/a.png"), imageOf("/tmp/b c.jpg")]
    })
  })

  it("keeps the cursor where it is while a path before or after it becomes an image", () => {
    const dropped = all([paste("/tmp/a.png"), type(" and more"), press("alt-b")]).state
    assert.strictEqual(shown(all([found(1, "/tmp/a.png")], dropped).state), "[image a.png] and |more")
    const before = all([type("see "), paste("/tmp/a.png"), press("ctrl-a")]).state
    assert.strictEqual(shown(all([found(1, "/tmp/a.png")], before).state), "|see [image a.png]")
  })

  it("leaves a path that was changed meanwhile, and one without an image", () => {
    const changed = all([paste("/tmp/a.png"), press("backspace"), found(1, "/tmp/a.png")]).state
    assert.strictEqual(shown(changed), "/tmp/a.pn|")
    assert.strictEqual(shown(all([paste("/tmp/a.png"), found(1)]).state), "/tmp/a.png|")
  })

  it("removes an image with one backspace, and restores it by undo", () => {
    const { state } = all([paste("/tmp/a.png"), found(1, "/tmp/a.png"), press("backspace")])
    assert.strictEqual(shown(state), "|")
    const { actions } = all([press("ctrl-_"), press("enter")], state)
    assert.deepInclude(actions, { _tag: "Submit", text: "[image a.png]", images: [imageOf("/tmp/a.png")] })
  })

  it("finds the image of a path that is in an earlier draft", () => {
    const { state } = all([paste("/tmp/a.png"), press("ctrl-u"), found(1, "/tmp/a.png"), press("ctrl-_")])
    assert.strictEqual(shown(state), "[image a.png]|")
  })

  it("sends once the image is there, if Enter was quicker", () => {
    const waiting = all([paste("/tmp/a.png"), press("enter")])
    assert.deepStrictEqual(
      waiting.actions.map(({ _tag }) => _tag),
      ["FindImages"]
    )
    assert.include(JSON.stringify(view(waiting.state, { width: 80 }).footer), "looking at the image")
    assert.deepInclude(all([found(1, "/tmp/a.png")], waiting.state).actions, {
      _tag: "Submit",
      text: "[image a.png]",
      images: [imageOf("/tmp/a.png")]
    })
    assert.deepInclude(all([found(1)], waiting.state).actions, { _tag: "Submit", text: "/tmp/a.png", images: [] })
  })

  it("waits no longer for an image at another Enter, and sends nothing after Escape", () => {
    const waiting = all([paste("/tmp/a.png"), press("enter")]).state
    assert.deepInclude(all([press("enter")], waiting).actions, { _tag: "Submit", text: "/tmp/a.png", images: [] })
    assert.deepStrictEqual(all([press("escape"), found(1, "/tmp/a.png")], waiting).actions, [])
  })

  it("does not send once another key was pressed", () => {
    const { actions } = all([paste("/tmp/a.png"), press("enter"), type(" x"), found(1, "/tmp/a.png")])
    assert.deepStrictEqual(
      actions.map(({ _tag }) => _tag),
      ["FindImages"]
    )
  })

  it("says why an image is refused, and keeps the text", () => {
    const { actions, state } = all([paste("/tmp/a.png"), press("enter"), refused(1, "/tmp/a.png")])
    assert.deepStrictEqual(
      actions.map(({ _tag }) => _tag),
      ["FindImages"]
    )
    assert.strictEqual(shown(state), "/tmp/a.png|")
    assert.include(JSON.stringify(view(state, { width: 80 }).footer), "/tmp/a.png: it is too large")
  })

  it("leaves paths in a command unchanged", () => {
    const { actions, state } = all([type("!file "), paste("/tmp/a.png"), press("enter")])
    assert.deepInclude(actions, { _tag: "RunCommand", command: "file /tmp/a.png" })
    assert.strictEqual(state.draft.text, "")
  })

  it("shows nothing of a name that acts on the terminal", () => {
    const { state } = all([paste("'/tmp/a\u202Eb.png'"), found(1, "/tmp/a\u202Eb.png")])
    assert.strictEqual(shown(state), String.raw`[image a\u{202e}b.png]|`)
  })
})
