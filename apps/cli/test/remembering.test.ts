/** The notes that turns save and recall, from the built program. */
import { assert, describe, it } from "@effect/vitest"
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { start, until, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, say, withModel } from "./program/ModelServer.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })

describe("remembering in a run", () => {
  it("commits the notes of a turn when the turn succeeds, and the next session recalls them", () =>
    withTestFolder((place) =>
      withModel(
        [
          call("save_memory", { content: "Prefers tabs to spaces", kind: "preference" }),
          { text: "noted" },
          call("search_memory", { query: "indentation tabs" }),
          { text: "done" }
        ],
        async ({ env, requests }) => {
          assert.strictEqual((await bough(place, ["run", "remember this"], { env })).code, 0)
          assert.match((await bough(place, ["memory", "list"])).stdout, /preference {2}Prefers tabs to spaces/)
          assert.strictEqual((await bough(place, ["run", "what do I like?"], { env })).code, 0)
          assert.include(JSON.stringify(requests.at(-1)?.messages.at(-1)), "Prefers tabs to spaces")
        }
      )
    ))

  it("adds relevant notes to a message, marked, once, and unrequested only then", () =>
    withTestFolder((place) =>
      withModel([{ text: "hello" }, { text: "on holiday" }, { text: "right" }], async ({ env, requests }) => {
        await bough(place, ["memory", "save", "The physician is on holiday until May"])
        await bough(place, ["run", "hi"], { env })
        assert.notInclude(JSON.stringify(requests[0]), "holiday")
        const run = await bough(place, ["run", "is the physician on holiday?"], { env })
        assert.strictEqual(run.code, 0, run.stderr)
        const sentText = JSON.stringify(requests[1].messages)
        assert.match(
          sentText,
          /<context source=\\"memory\\">\\nRecalled from earlier sessions.*- \[note-[\w-]+\] The physician is on holiday until May/
        )
        await bough(place, ["config", "set", "memory.recall", "false"])
        await bough(place, ["run", "is the physician on holiday?"], { env })
        assert.notInclude(JSON.stringify(requests[2]), "until May")
      })
    ))

  it("adds at most three notes, the nearest, within the configured tokens, and none at 0", () =>
    withTestFolder((place) =>
      withModel([{ text: "one" }, { text: "two" }, { text: "three" }], async ({ env, requests }) => {
        const folder = join(place.workspace, "notes")
        mkdirSync(folder)
        const days = Array.from({ length: 30 }, (_, day) => `The physician is on holiday on day ${day} of the summer`)
        for (const [day, text] of days.entries()) writeFileSync(join(folder, `${day}.md`), `${text}\n`)
        for (const [other, text] of ["Tea is at four", "Deploys are on Monday"].entries())
          writeFileSync(join(folder, `other-${other}.md`), `${text}\n`)
        const rare = "The dentist Verhagen is on holiday in July"
        writeFileSync(join(folder, "rare.md"), `${rare}\n`)
        await bough(place, ["memory", "import", folder])
        const recalled = async (tokens: string | null, message: string) => {
          if (tokens !== null) await bough(place, ["config", "set", "memory.recallTokens", tokens])
          const run = await bough(place, ["run", message], { env })
          assert.strictEqual(run.code, 0, run.stderr)
          return JSON.stringify(requests.at(-1)?.messages).match(/- \[note-/gu)?.length ?? 0
        }
        const message = "is dentist Verhagen on holiday in July?"
        assert.strictEqual(await recalled(null, message), 1)
        assert.include(JSON.stringify(requests.at(-1)?.messages), rare)
        assert.strictEqual(await recalled("40", message), 0)
        assert.strictEqual(await recalled("0", message), 0)
        const refused = await bough(place, ["config", "set", "memory.recallTokens", "-1"])
        assert.deepStrictEqual([refused.code, /recallTokens/.test(refused.stderr)], [2, true])
      })
    ))

  it("recalls nothing for everyday phrases, and does not mark the session private by it", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([say("bye"), say("hello"), say("they pass"), say("blue")], async ({ env, requests }) => {
        const notes = [
          "The salary talk with Dana is in March",
          "Ann gets migraines from red wine",
          "The tests of the ledger run in a container",
          "The button of the lift in the town hall is broken",
          "Mornings are for writing, all meetings are after lunch"
        ]
        for (const text of notes) await bough(place, ["memory", "save", text])
        for (const message of [
          "thanks, that's all for now",
          "good morning!",
          "run everything and tell me what fails",
          "make it blue and move it to the left"
        ]) {
          const run = await bough(place, ["run", message], { env })
          assert.strictEqual(run.code, 0, run.stderr)
          assert.notInclude(JSON.stringify(requests.at(-1)?.messages), "Recalled from earlier sessions", message)
        }
        const listed = JSON.parse((await bough(place, ["sessions", "list", "--format", "json"])).stdout)
        for (const { sessionId } of listed) {
          const { stdout } = await bough(place, ["sessions", "export", sessionId])
          assert.notInclude(stdout, '"private"')
        }
      })
    )
  )

  it("adds no saved secret to a prompt by itself, whatever the message asks", () =>
    withTestFolder((place) =>
      withModel(
        [say("one"), say("two"), call("search_memory", { query: "github token" }), say("three")],
        async (model) => {
          const { env, requests } = model
          const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
          await bough(place, ["memory", "save", `my github token for this repo is ${token}`])
          await bough(place, ["memory", "save", "IBAN of the github sponsors account: DE89 3704 0044 0532 0130 00"])
          await bough(place, ["memory", "save", "The github repo of the token handling is called mint"])
          const run = await bough(place, ["run", "explain this github repo to me, the token handling too"], { env })
          assert.strictEqual(run.code, 0, run.stderr)
          const sentText = JSON.stringify(requests.at(-1)?.messages)
          assert.include(sentText, "called mint")
          assert.notInclude(sentText, token)
          await bough(place, ["run", "which IBAN does the github sponsors account have?"], { env })
          assert.notInclude(JSON.stringify(requests.at(-1)?.messages), "DE89")
          // A search finds the note; a value that looks like a token stays redacted for the model.
          await bough(place, ["run", "look it up"], { env })
          const found = JSON.stringify(requests.at(-1)?.messages)
          assert.include(found, "my github token for this repo is")
          assert.notInclude(found, token)
        }
      )
    ))

  it("recalls a note with a prefix of its id and its day, which a tool can use to change it", () =>
    withTestFolder((place) => {
      const answers = [say("at half past nine")]
      return withModel(answers, async ({ env, requests }) => {
        const saved = await bough(place, ["memory", "save", "The stand-up meeting takes place at half past nine"])
        const id = saved.stdout.trim()
        await bough(place, ["run", "when is the stand-up meeting?"], { env })
        const line = new RegExp(
          String.raw`- \[(${id.slice(0, 13)})\] The stand-up meeting takes place at half past nine \(noted \d{4}-\d\d-\d\d\)`
        )
        const [, short] = line.exec(JSON.stringify(requests.at(-1)?.messages)) ?? []
        assert.strictEqual(short, id.slice(0, 13))
        answers.push(call("update_memory", { noteId: short, content: "The stand-up meeting is at ten" }), say("done"))
        assert.strictEqual((await bough(place, ["run", "it has moved to ten"], { env })).code, 0)
        assert.match((await bough(place, ["memory", "show", short])).stdout, /The stand-up meeting is at ten/)
        assert.strictEqual((await bough(place, ["memory", "rm", short])).stderr, `note ${id} is deleted\n`)
      })
    }))

  it("marks a note as untrusted only if its author had read untrusted text", () =>
    withTestFolder((place) =>
      withModel([say("tea"), call("search_memory", { query: "coffee" }), say("ok")], async ({ env }) => {
        await bough(place, ["memory", "save", "Likes green tea in the morning"])
        mkdirSync(join(place.workspace, "notes"))
        const imported = '---\nid: "note-page"\nuntrusted: true\n---\n\nCoffee is bad for everybody\n'
        writeFileSync(join(place.workspace, "notes", "page.md"), imported)
        await bough(place, ["memory", "import", "notes"])
        assert.match((await bough(place, ["memory", "show", "note-page"])).stdout, /\nuntrusted: true\n/)
        const labelsOf = async (prompt: string, tag: string) => {
          assert.strictEqual((await bough(place, ["run", prompt], { env })).code, 0)
          const listed = JSON.parse((await bough(place, ["sessions", "list", "--format", "json"])).stdout)
          const { stdout } = await bough(place, ["sessions", "export", listed[0].sessionId])
          const entries = stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
          return entries.find(({ body }) => body?._tag === tag).labels.toSorted()
        }
        assert.deepStrictEqual(await labelsOf("green tea in the morning?", "ContextAdded"), ["private"])
        assert.deepStrictEqual(await labelsOf("and now", "CallEnded"), ["private", "untrusted"])
      })
    ))

  it("discards the notes of a turn that was stopped", () =>
    withTestFolder((place) =>
      withModel(
        [call("save_memory", { content: "half a thought" }), call("search_memory", { query: "thought" })],
        async ({ env, requests }) => {
          const ended = await bough(place, ["run", "--max-steps", "2", "go"], { env })
          assert.strictEqual(ended.code, 1, ended.stderr)
          assert.lengthOf(requests, 2)
          assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
        }
      )
    ))

  it("hides notes of a killed turn, and commits them once that turn was continued to its end", () =>
    withTestFolder((place) =>
      withModel(
        [call("save_memory", { content: "half a thought" }), { hangAfter: "well" }, say("done")],
        async ({ env, requests }) => {
          const { child, ended } = start(place, ["run", "remember"], { env, stdin: "" })
          await until(() => requests.length === 2)
          child.kill("SIGKILL")
          await ended
          assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
          assert.strictEqual((await bough(place, ["run", "--continue"], { env })).code, 0)
          assert.match((await bough(place, ["memory", "list"])).stdout, /half a thought/)
        }
      )
    ))

  it("discards the memory file of a stopped turn, which that turn could read", () =>
    withTestFolder((place) =>
      withModel(
        [
          call("append_memory_file", { path: "a.md", entry: "half a thought" }),
          call("read_memory_file", { path: "a.md" }),
          call("list_memory_files", {})
        ],
        async ({ env, requests }) => {
          const ended = await bough(place, ["run", "--max-steps", "3", "go"], { env })
          assert.strictEqual(ended.code, 1, ended.stderr)
          assert.include(JSON.stringify(requests[2].messages.at(-1)), "half a thought")
          const listed = await bough(place, ["call", "list_memory_files", "{}"])
          assert.deepStrictEqual([listed.code, listed.stdout.includes("a.md")], [0, false], listed.stderr)
        }
      )
    ))

  it("hides a killed turn's changes of a memory file, and commits them once that turn has ended", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel(
        [
          call("append_memory_file", { path: "a.md", entry: "first half" }),
          { hangAfter: "well" },
          call("append_memory_file", { path: "a.md", entry: "second half" }),
          say("done")
        ],
        async ({ env, requests }) => {
          const list = async () => (await bough(place, ["call", "list_memory_files", "{}"])).stdout
          const { child, ended } = start(place, ["run", "remember"], { env, stdin: "" })
          await until(() => requests.length === 2)
          child.kill("SIGKILL")
          await ended
          // A call of another session changes none of this session's staged files.
          const session = JSON.parse((await bough(place, ["sessions", "list", "--format", "json"])).stdout)[0].sessionId
          await bough(place, ["call", "write_memory_file", JSON.stringify({ path: "b.md", content: "at once" })])
          assert.match(await list(), /b\.md/)
          assert.notMatch(await list(), /a\.md/)
          assert.strictEqual((await bough(place, ["run", "--session", session, "--continue"], { env })).code, 0)
          assert.match(await list(), /a\.md/)
          const read = await bough(place, ["call", "read_memory_file", JSON.stringify({ path: "a.md" })])
          assert.match(read.stdout, /first half[\s\S]*second half/)
        }
      )
    )
  )

  it(
    "removes a killed turn's staged memory file with its session, and the remains of an earlier removal",
    thoroughOnly,
    () =>
      withTestFolder((place) =>
        withModel(
          [call("write_memory_file", { path: "a.md", content: "> Summary: half\n" }), { hangAfter: "well" }],
          async ({ env, requests }) => {
            const files = join(place.data, "memory/files")
            const { child, ended } = start(place, ["run", "remember"], { env, stdin: "" })
            await until(() => requests.length === 2)
            child.kill("SIGKILL")
            await ended
            const held = join(files, ".held")
            const [name] = readdirSync(held)
            await bough(place, ["call", "list_memory_files", "{}"])
            assert.deepStrictEqual(readdirSync(held), [name])
            const listed: ReadonlyArray<{ readonly sessionId: string; readonly title: string }> = JSON.parse(
              (await bough(place, ["sessions", "list", "--format", "json"])).stdout
            )
            const sessionId = listed.find(({ title }) => title === "remember")?.sessionId ?? ""
            // The state after a process died just after it had deleted the session.
            cpSync(held, join(place.root, "held"), { recursive: true })
            assert.strictEqual((await bough(place, ["sessions", "rm", sessionId])).code, 0)
            assert.isFalse(existsSync(held))
            cpSync(join(place.root, "held"), held, { recursive: true })
            await bough(place, ["call", "list_memory_files", "{}"])
            assert.deepStrictEqual(
              readdirSync(files).filter((found) => found.startsWith(".")),
              []
            )
          }
        )
      )
  )

  it("stores no secret, and asks a user before it saves one", () =>
    withTestFolder(async (place) => {
      const secret = "the wifi password is hunter2222"
      const refused = await bough(place, ["call", "save_memory", JSON.stringify({ content: secret })])
      assert.deepStrictEqual([refused.code, /looks like a secret/.test(refused.stdout)], [1, true])
      const kept = await bough(place, ["call", "save_memory", JSON.stringify({ content: secret, secrets: "keep" })])
      assert.strictEqual(kept.code, 3)
      assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
    }))

  it("gives Workers the tools that search and none that store", () =>
    withTestFolder(async (place) => {
      const call = (tool: string, args: unknown) =>
        bough(place, ["call", tool, JSON.stringify(args), "--kind", "worker"])
      assert.strictEqual((await call("search_memory", { query: "x" })).code, 0)
      const refused = await call("save_memory", { content: "x" })
      assert.deepStrictEqual([refused.code, /held by Main/.test(refused.stdout)], [1, true])
    }))

  it("keeps a scratchpad per session, and memory files below one folder", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel(
        [
          call("write_scratchpad", { items: ["find the bug", "mend it"] }),
          call("read_scratchpad", {}),
          call("append_memory_file", { path: "facts/me.md", entry: "Likes tea.", summary: "about me" }),
          call("write_memory_file", { path: "../../x.md", content: "out" }),
          { text: "done" }
        ],
        async ({ env, requests }) => {
          assert.strictEqual((await bough(place, ["run", "go"], { env })).code, 0)
          assert.include(JSON.stringify(requests[2].messages.at(-1)), "mend it")
          assert.include(JSON.stringify(requests[4].messages.at(-1)), "not a path below the memory folder")
          const listed = await bough(place, ["call", "list_memory_files", "{}"])
          assert.include(listed.stdout, '"about me"')
          mkdirSync(join(place.workspace, "elsewhere"))
          assert.include((await bough(place, ["call", "list_tasks", "{}"])).stdout, '"title": "go"')
        }
      )
    )
  )
})
