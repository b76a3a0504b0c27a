/** Configured keys: each fault is reported with its fix, and a key has one meaning. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ConfigFile from "../../src/config/ConfigFile.ts"
import * as ConfigSchema from "../../src/config/ConfigSchema.ts"
import * as SchemaDocument from "../../src/config/SchemaDocument.ts"
import { keyActions } from "../../src/keys/KeyActions.ts"
import * as Keymap from "../../src/keys/Keymap.ts"
import * as KeyName from "../../src/keys/KeyName.ts"

const read = (keys: unknown) =>
  ConfigFile.read(
    { name: "config.jsonc", text: JSON.stringify({ keys }) },
    { schema: ConfigSchema.User, variables: {}, operatorSchema: null }
  )
const fault = (keys: unknown) => Effect.map(Effect.flip(read(keys)), ({ message }) => message)

describe("the keys of the configuration", () => {
  it.effect("suggests the nearest action or key for an unknown one", () =>
    Effect.gen(function* () {
      const at = "config.jsonc:1: "
      assert.strictEqual(
        yield* fault({ "open transcrpt": "ctrl-x" }),
        `${at}unknown key "keys.open transcrpt"; did you mean "open transcript"?`
      )
      assert.strictEqual(
        yield* fault({ undo: "ctrl-entr" }),
        `${at}keys.undo: there is no key "ctrl-entr"; did you mean "ctrl-enter"?`
      )
      assert.include(yield* fault({ undo: ["ctrl-x", "hyper-x-y"] }), "write one as ctrl-o, alt-b, shift-tab or f5")
      assert.include(yield* fault({ undo: "x" }), '"x" types a character: use it with ctrl or alt')
      assert.include(yield* fault({ undo: "ctrl-i" }), '"ctrl-i" is tab to a terminal')
      assert.include(yield* fault({ undo: "ctrl-shift-x" }), "is not a separate key in any terminal")
      assert.include(yield* fault({ send: [] }), '"send" needs a key')
    })
  )

  it.effect("refuses a key with two meanings, at the line of the configured one", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* fault({ undo: "ctrl-o" }),
        'config.jsonc:1: keys.undo: "ctrl-o" is the key of "open transcript" too: give "open transcript" another key, or [] for none'
      )
      const { keys = {} } = yield* read({ undo: "Ctrl+O", "open transcript": ["f5"] })
      const keymap = Result.getOrThrow(Keymap.make(keys))
      assert.strictEqual(keymap.actions.editor.get("ctrl-o"), "undo")
      assert.strictEqual(keymap.actions.screen.get("F5"), "open transcript")
      assert.isUndefined(keymap.actions.screen.get("ctrl-o"))
    })
  )

  it("gives no default key two meanings, and parses each name as it prints it", () => {
    const keys = keyActions.flatMap((row) => row.keys.map((key) => ({ key, ...row })))
    for (const one of keys) {
      assert.deepStrictEqual(KeyName.parse(one.key), Result.succeed(one.key))
      assert.deepStrictEqual(KeyName.parse(KeyName.display(one.key)), Result.succeed(one.key))
      const same = keys.filter((other) => other.key === one.key && other.action !== one.action)
      for (const other of same) {
        assert.notStrictEqual(one.scope, other.scope)
        assert.notInclude([one.scope, other.scope], "screen")
      }
    }
  })

  it("lets an editing key have another meaning while the agent works, and no other key", () => {
    assert.isTrue(Result.isSuccess(Keymap.make({ queue: "ctrl-n" })))
    assert.isTrue(Result.isFailure(Keymap.make({ "next mode": "ctrl-n" })))
    assert.isTrue(Result.isFailure(Keymap.make({ queue: "ctrl-b" })))
    assert.strictEqual(
      Keymap.displayKeys(Result.getOrThrow(Keymap.make({ undo: ["alt-u", "f2"] })), "undo"),
      "Alt-U, F2"
    )
  })

  it("publishes every action in the schema, with its default", () => {
    const { properties } = SchemaDocument.user() as {
      readonly properties: { readonly keys: { readonly properties: Readonly<Record<string, unknown>> } }
    }
    assert.sameMembers(
      Object.keys(properties.keys.properties),
      keyActions.map(({ action }) => action)
    )
    assert.include(JSON.stringify(properties.keys.properties["open transcript"]), "default: ctrl-o")
  })
})
