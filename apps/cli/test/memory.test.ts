/** `memory` and the memory tools, from the built program. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Folder from "../../../packages/memory/test/onnx/Folder.ts"
import { bough, start, until, withPlace } from "./program/Bough.ts"
import { type Answer, say, withModel } from "./program/ModelServer.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })

describe("bough memory", { timeout: 120_000 }, () => {
  it("saves, finds by meaning, shows and forgets a note", () =>
    withPlace(async (place) => {
      const saved = await bough(place, ["memory", "save", "The physician is on holiday", "--tag", "Health"])
      assert.deepStrictEqual([saved.code, saved.stderr], [0, ""])
      const id = saved.stdout.trim()
      await bough(place, ["memory", "save", "Deploys go out on Tuesdays", "--kind", "procedure"])
      const found = await bough(place, ["memory", "search", "when is the doctor in?"])
      assert.match(found.stdout, new RegExp(`^${id}  fact  #health  The physician is on holiday\n`))
      assert.strictEqual((await bough(place, ["memory", "search", "doctor", "--tag", "none"])).stdout, "")
      assert.match((await bough(place, ["memory", "show", id])).stdout, /\ntags: \["health"\]\n/)
      assert.match((await bough(place, ["memory", "stats"])).stdout, /^2 notes \(1 fact, 1 procedure\)/)
      assert.strictEqual((await bough(place, ["memory", "rm", id])).code, 0)
      const gone = await bough(place, ["memory", "show", id])
      assert.deepStrictEqual([gone.code, gone.stdout], [2, ""])
      assert.match(gone.stderr, /there is no note .* — bough memory list/)
    }))

  it("lists and finds those of the kinds that are asked for, conversations too", () =>
    withPlace(async (place) => {
      for (const kind of ["fact", "decision", "conversation"]) {
        await bough(place, ["memory", "save", `We spoke of the harbour, as a ${kind}`, "--kind", kind])
      }
      const kinds = async (...args: ReadonlyArray<string>) => {
        const { stdout } = await bough(place, ["memory", ...args, "--format", "json"])
        return JSON.parse(stdout)
          .map(({ kind }: { readonly kind: string }) => kind)
          .toSorted()
      }
      assert.deepStrictEqual(await kinds("search", "harbour"), ["decision", "fact"])
      assert.deepStrictEqual(await kinds("search", "harbour", "--kind", "conversation"), ["conversation"])
      assert.deepStrictEqual(await kinds("list"), ["conversation", "decision", "fact"])
      assert.deepStrictEqual(await kinds("list", "--kind", "fact", "--kind", "conversation"), ["conversation", "fact"])
      const none = await bough(place, ["memory", "list", "--kind", "episode"])
      assert.deepStrictEqual([none.code, none.stdout, none.stderr], [0, "", "no note fits\n"])
    }))

  it("lists every note, the last changed first, and no more of them than are asked for", () =>
    withPlace(async (place) => {
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      const days = Array.from({ length: 12 }, (_, day) => day)
      for (const day of days) {
        const stamp = `2025-01-${10 + ((day * 7) % 12)}T00:00:00.000Z`
        const file = `---\ncreated: ${stamp}\nupdated: ${stamp}\n---\n\nThe harbour on ${stamp.slice(0, 10)}\n`
        writeFileSync(join(folder, `${day}.md`), file)
      }
      await bough(place, ["memory", "import", folder])
      const listed = async (...args: ReadonlyArray<string>) => {
        const { stdout } = await bough(place, ["memory", ...args, "--format", "json"])
        return JSON.parse(stdout).map(({ text }: { readonly text: string }) => Number(text.slice(-2)))
      }
      const newest = days.map((day) => 21 - day)
      assert.deepStrictEqual(await listed("list"), newest)
      assert.deepStrictEqual(await listed("list", "--limit", "3"), newest.slice(0, 3))
      assert.deepStrictEqual(await listed("--limit", "1"), newest.slice(0, 1))
      assert.deepStrictEqual(await listed("list", "--limit", "50"), newest)
      assert.lengthOf(await listed("search", "harbour"), 10)
      assert.lengthOf(await listed("search", "harbour", "--limit", "12"), 12)
    }))

  it("keeps a secret that a person has it remember, and says that it looks like one, once", () =>
    withPlace(async (place) => {
      const secret = "the wifi password is hunter2222"
      const saved = await bough(place, ["memory", "save", secret])
      const remark = (name: string) => `${name} was kept as it is, though it looks like a secret: password\n`
      assert.deepStrictEqual([saved.code, saved.stderr], [0, remark("the note")])
      assert.include((await bough(place, ["memory", "list"])).stdout, secret)
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      writeFileSync(join(folder, "door.md"), "The passcode is 4711-0815\n")
      const imported = () => bough(place, ["memory", "import", folder])
      assert.strictEqual((await imported()).stderr, `${remark("door.md")}1 notes added, 0 changed, 0 known already\n`)
      assert.strictEqual((await imported()).stderr, "0 notes added, 0 changed, 1 known already\n")
    }))

  it("writes notes to files that are the same every time, and takes in what was changed there", () =>
    withPlace(async (place) => {
      await bough(place, ["memory", "save", "Likes tea\nwith milk", "--tag", "drinks"])
      await bough(place, ["memory", "save", "Lives in Porto"])
      const folder = join(place.workspace, "notes")
      const contents = () =>
        readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const)
      await bough(place, ["memory", "export", folder])
      const first = contents()
      await bough(place, ["memory", "export", folder])
      assert.deepStrictEqual(contents(), first)
      const [name, text] = first.find(([, content]) => content.includes("milk")) ?? ["", ""]
      writeFileSync(join(folder, name), text.replace("milk", "lemon"))
      writeFileSync(join(folder, "own.md"), "Has a dog called Rex\n")
      const imported = await bough(place, ["memory", "import", folder])
      assert.strictEqual(imported.stderr, "1 notes added, 1 changed, 1 known already\n")
      const all = await bough(place, ["memory", "list"])
      assert.match(all.stdout, /Likes tea with lemon/)
      assert.match(all.stdout, /Rex/)
      writeFileSync(join(folder, "bad.md"), "---\nkind: rumour\n---\n\nx\n")
      const refused = await bough(place, ["memory", "import", folder])
      assert.deepStrictEqual([refused.code, /bad\.md is no note: kind rumour/.test(refused.stderr)], [2, true])
      const nowhere = await bough(place, ["memory", "import", join(place.workspace, "nowhere")])
      assert.strictEqual(nowhere.code, 1)
    }))

  it("names the files of notes that were forgotten when it exports, removes none, and names nothing else", () =>
    withPlace(async (place) => {
      const folder = join(place.workspace, "notes")
      const save = async (text: string) => (await bough(place, ["memory", "save", text])).stdout.trim()
      const [forgotten, kept] = [await save("Likes tea"), await save("Lives in Porto")]
      const exported = () => bough(place, ["memory", "export", folder])
      assert.strictEqual((await exported()).stderr, `wrote 2 notes to ${folder}\n`)
      const before = readFileSync(join(folder, `${forgotten}.md`), "utf8")
      await bough(place, ["memory", "rm", forgotten])
      writeFileSync(join(folder, "own.md"), "Has a dog called Rex\n")
      writeFileSync(join(folder, "copy.md"), before)
      writeFileSync(join(folder, "bad.md"), "---\nkind: rumour\n---\n\nx\n")
      mkdirSync(join(folder, "folder.md"))
      const remark = `left what is of no note here, and what an import would take in: ${forgotten}.md\n`
      const again = await exported()
      assert.deepStrictEqual([again.code, again.stderr], [0, `wrote 1 notes to ${folder}\n${remark}`])
      assert.strictEqual(readFileSync(join(folder, `${forgotten}.md`), "utf8"), before)
      assert.include(readdirSync(folder), `${kept}.md`)
    }))

  it("takes in when a note was first known and last changed, so that it is the same file elsewhere", () =>
    withPlace(async (place) => {
      const [there, back] = [join(place.workspace, "there"), join(place.workspace, "back")]
      const file = (updated: string, text: string) =>
        `---\nid: "note-1"\nkind: fact\ntags: []\nsource: "import"\ncreated: 2024-01-02T03:04:05.678Z\nupdated: ${updated}\n---\n\n${text}\n`
      mkdirSync(there)
      const roundTrip = async (content: string) => {
        writeFileSync(join(there, "note-1.md"), content)
        assert.strictEqual((await bough(place, ["memory", "import", there])).code, 0)
        await bough(place, ["memory", "export", back])
        return readFileSync(join(back, "note-1.md"), "utf8")
      }
      const first = file("2024-05-06T07:08:09.010Z", "Likes tea")
      assert.strictEqual(await roundTrip(first), first)
      const changed = file("2025-05-06T07:08:09.010Z", "Likes coffee")
      assert.strictEqual(await roundTrip(changed), changed)
      const byHand = await roundTrip(changed.replace("coffee", "cocoa"))
      assert.match(byHand, /Likes cocoa/)
      assert.isAbove(Date.parse(/^updated: (.*)$/m.exec(byHand)?.[1] ?? ""), Date.parse("2026-01-01"))
    }))

  it("shows how far it is when it embeds many notes anew", () =>
    withPlace(async (place) => {
      const folder = join(place.workspace, "notes")
      mkdirSync(folder)
      for (let n = 0; n < 600; n++) writeFileSync(join(folder, `${n}.md`), `entry ${n} of the log book\n`)
      await bough(place, ["memory", "import", folder])
      const { stderr } = await bough(place, ["memory", "reindex"])
      assert.match(stderr, /^ {2}index ░{20} 0\/600\n[\s\S]*^ {2}index █{20} 600\/600\nthe index is up to date\n$/m)
    }))

  it("ranks by words and meaning as much as is configured", () =>
    withPlace(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      await bough(place, ["memory", "save", "We met in the doctor and anchor pub, in the street of the old town hall"])
      const first = async (words: number, meaning: number) => {
        await bough(place, ["config", "set", "memory.weights.words", String(words)])
        await bough(place, ["config", "set", "memory.weights.meaning", String(meaning)])
        const { stdout } = await bough(place, ["memory", "search", "doctor on vacation", "--limit", "1"])
        return stdout
      }
      assert.match(await first(0, 1), /physician/)
      assert.match(await first(1, 0), /anchor/)
      const refused = await bough(place, ["config", "set", "memory.weights.words", "-1"])
      assert.strictEqual(refused.code, 2, refused.stderr)
    }))

  it("builds the index anew, and does without a model where none is wanted", () =>
    withPlace(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      const reindexed = await bough(place, ["memory", "reindex"])
      assert.deepStrictEqual([reindexed.code, reindexed.stderr.endsWith("the index is up to date\n")], [0, true])
      await bough(place, ["config", "set", "embedding.model", "none"])
      const found = await bough(place, ["memory", "search", "physician"])
      assert.match(found.stdout, /on holiday/)
      assert.match(found.stderr, /^words alone were compared: no embedding model is configured\n$/)
      await bough(place, ["config", "set", "embedding.model", "/no/such/model"])
      const missing = await bough(place, ["memory", "search", "physician"])
      assert.match(missing.stdout, /on holiday/)
      assert.match(missing.stderr, /words alone were compared: the embedding model model cannot be used/)
    }))
})

describe("a model that was configured", { timeout: 120_000 }, () => {
  it("is taken from its folder, and what another one embedded is embedded anew", () =>
    withPlace(async (place) => {
      await bough(place, ["memory", "save", "The physician is on holiday"])
      await bough(place, ["memory", "save", "Deploys go out on Tuesdays"])
      const search = () => bough(place, ["memory", "search", "when is the doctor in?"])
      const first = await search()
      assert.match(first.stdout, /^.*The physician is on holiday\n/)
      const folder = join(place.root, "models", "own")
      Folder.write(folder)
      await bough(place, ["config", "set", "embedding.model", folder])
      const again = await search()
      assert.deepStrictEqual([again.code, again.stdout, again.stderr], [0, first.stdout, ""])
      rmSync(folder, { recursive: true })
      assert.match((await search()).stderr, /^words alone were compared: the embedding model own cannot be used: /m)
    }))
})

describe("remembering in a run", { timeout: 120_000 }, () => {
  it("keeps what a turn saved when the turn ends well, and the next session recalls it", () =>
    withPlace((place) =>
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

  it("lets notes that bear on a message join it, marked, once, and unasked for only then", () =>
    withPlace((place) =>
      withModel([{ text: "hello" }, { text: "on holiday" }, { text: "right" }], async ({ env, requests }) => {
        await bough(place, ["memory", "save", "The physician is on holiday until May"])
        await bough(place, ["run", "hi"], { env })
        assert.notInclude(JSON.stringify(requests[0]), "holiday")
        const asked = await bough(place, ["run", "is the physician on holiday?"], { env })
        assert.strictEqual(asked.code, 0, asked.stderr)
        const told = JSON.stringify(requests[1].messages)
        assert.match(
          told,
          /<context source=\\"memory\\">\\nRecalled from earlier sessions.*- \[note-[\w-]+\] The physician is on holiday until May/
        )
        await bough(place, ["config", "set", "memory.recall", "false"])
        await bough(place, ["run", "is the physician on holiday?"], { env })
        assert.notInclude(JSON.stringify(requests[2]), "until May")
      })
    ))

  it("takes a note's word for untrusted only where the one who wrote it was told so", () =>
    withPlace((place) =>
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

  it("leaves nothing of a turn that was stopped", () =>
    withPlace((place) =>
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

  it("shows nobody what a killed turn saved, and keeps it once that turn has been gone on with to its end", () =>
    withPlace((place) =>
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

  it("leaves no memory file of a turn that was stopped, though that turn read its own", () =>
    withPlace((place) =>
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

  it("shows nobody what a killed turn wrote to a memory file, and keeps it once that turn has come to its end", () =>
    withPlace((place) =>
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
          // A call of another session changes nothing of what this one holds.
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
    ))

  it("stores no secret, and asks a person before it keeps one", () =>
    withPlace(async (place) => {
      const secret = "the wifi password is hunter2222"
      const refused = await bough(place, ["call", "save_memory", JSON.stringify({ content: secret })])
      assert.deepStrictEqual([refused.code, /looks like a secret/.test(refused.stdout)], [1, true])
      const kept = await bough(place, ["call", "save_memory", JSON.stringify({ content: secret, secrets: "keep" })])
      assert.strictEqual(kept.code, 3)
      assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
    }))

  it("gives Workers what searches and nothing that stores", () =>
    withPlace(async (place) => {
      const call = (tool: string, args: unknown) =>
        bough(place, ["call", tool, JSON.stringify(args), "--kind", "worker"])
      assert.strictEqual((await call("search_memory", { query: "x" })).code, 0)
      const refused = await call("save_memory", { content: "x" })
      assert.deepStrictEqual([refused.code, /has no MemoryWrite/.test(refused.stdout)], [1, true])
    }))

  it("keeps a scratchpad per session, and memory files below one folder", () =>
    withPlace((place) =>
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
          assert.include(JSON.stringify(requests[4].messages.at(-1)), "no path below the memory folder")
          const listed = await bough(place, ["call", "list_memory_files", "{}"])
          assert.include(listed.stdout, '"about me"')
          mkdirSync(join(place.workspace, "elsewhere"))
          assert.include((await bough(place, ["call", "list_tasks", "{}"])).stdout, '"title": "go"')
        }
      )
    ))
})
