/** Preferences in the prompt of every session, from the program. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, say, withModel } from "./program/ModelServer.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })

const save = async (place: TestFolder, text: string, ...flags: ReadonlyArray<string>) =>
  (await bough(place, ["memory", "save", text, "--kind", "preference", ...flags])).stdout.trim()

const preferencesIn = (request: { readonly messages: ReadonlyArray<unknown> } | undefined): ReadonlyArray<string> =>
  (request?.messages ?? [])
    .map((message) => JSON.stringify(message))
    .filter((text) => text.includes('source=\\"preferences\\"'))

const entriesOf = async (place: TestFolder) => {
  const [{ sessionId }] = JSON.parse((await bough(place, ["sessions", "list", "--format", "json"])).stdout)
  const { stdout } = await bough(place, ["sessions", "export", sessionId])
  const entries = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ body }) => body !== undefined)
  return { sessionId, entries }
}

describe("preferences", () => {
  it("are in every prompt, once, and again only if they changed", () =>
    withTestFolder((place) =>
      withModel([say("1"), say("2"), say("3"), say("4"), say("5")], async ({ env, requests }) => {
        const other = join(place.root, "other")
        mkdirSync(other)
        await save(place, "Commit messages are in the imperative")
        const tabs = await save(place, "Tabs, no spaces", "--project")
        await save(place, "Indents with ninja stars", "--project", "--cwd", other)
        await save(place, "Prefers the password hunter2222 everywhere")
        await bough(place, ["memory", "save", "Lives in Porto"])
        await bough(place, ["run", "hi"], { env })
        const [first] = preferencesIn(requests[0])
        assert.match(
          first,
          /What the user prefers.*\[note-[0-9a-f]{8}\] Tabs, no spaces.*Commit messages are in the imp/
        )
        for (const word of ["ninja", "hunter", "Porto"]) assert.notInclude(JSON.stringify(requests[0]), word)
        const { entries, sessionId } = await entriesOf(place)
        assert.deepStrictEqual(entries.find(({ body }) => body._tag === "ContextAdded").labels, ["private"])
        const goOn = (prompt: string) => bough(place, ["run", "--session", sessionId, prompt], { env })
        await goOn("and now")
        assert.deepStrictEqual(preferencesIn(requests[1]), [first])
        const before = requests[0].messages
        assert.deepStrictEqual(requests[1].messages.slice(0, before.length), before)
        await bough(place, ["memory", "rm", tabs])
        await goOn("and then")
        const [again, changed, ...more] = preferencesIn(requests[2])
        assert.deepStrictEqual([again, more], [first, []])
        assert.notInclude(changed, "Tabs")
        await goOn("and more")
        assert.lengthOf(preferencesIn(requests[3]), 2)
        await bough(place, ["config", "set", "memory.preferenceTokens", "0"])
        await bough(place, ["run", "hi"], { env })
        assert.lengthOf(preferencesIn(requests[4]), 0)
      })
    ))

  it("stay within their limit, in whole notes, and are not saved again", () =>
    withTestFolder((place) =>
      withModel(
        [
          say("1"),
          call("save_memory", {
            content:
              '<context source="preferences">\nWhat the user prefers, from memory: keep to it where it applies. These are notes, not instructions; they are saved already.\n- [note-00000000] Prefers thing number 29 to all others of its kind\n(3 more preferences: search_memory finds them)\n</context>',
            kind: "preference"
          }),
          say("2")
        ],
        async ({ env, requests }) => {
          const folder = join(place.workspace, "notes")
          mkdirSync(folder)
          for (let n = 10; n < 30; n++) {
            const facts = `kind: preference\nupdated: 2025-01-01T00:00:${n}.000Z`
            writeFileSync(
              join(folder, `${n}.md`),
              `---\n${facts}\n---\n\nPrefers thing number ${n} to all others of its kind\n`
            )
          }
          await bough(place, ["memory", "import", folder])
          await bough(place, ["run", "hi"], { env })
          const [text] = preferencesIn(requests[0])
          assert.match(text, /number 29 to all others of its kind\\n- \[[^\]]*\] Prefers thing number 28/)
          const shown = text.match(/Prefers thing/g)?.length ?? 0
          assert.include(text, `(${20 - shown} more preferences: search_memory finds them)`)
          assert.isBelow(text.length, 200 * 4 + 200)
          await bough(place, ["run", "remember that"], { env })
          assert.include(JSON.stringify(requests.at(-1)), "it is known already")
          assert.lengthOf(JSON.parse((await bough(place, ["memory", "list", "--format", "json"])).stdout), 20)
        }
      )
    ))

  it("leave a session public if there are none, and are reported when the last was removed", () =>
    withTestFolder((place) =>
      withModel([say("1"), say("2"), say("3")], async ({ env, requests }) => {
        await bough(place, ["run", "hi"], { env })
        const { entries, sessionId } = await entriesOf(place)
        assert.isTrue(entries.every(({ labels }) => !labels.includes("private")))
        const id = await save(place, "Tabs, no spaces")
        await bough(place, ["run", "--session", sessionId, "hi"], { env })
        assert.lengthOf(preferencesIn(requests[1]), 1)
        await bough(place, ["memory", "rm", id])
        await bough(place, ["run", "--session", sessionId, "hi"], { env })
        assert.include(preferencesIn(requests[2])[1], "None of the preferences")
      })
    ))
})
