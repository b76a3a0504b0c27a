/** Skills join the prompt and can be read once they are trusted; files outside of a skill, or changed since, cannot. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { lines, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, withModel } from "./program/ModelServer.ts"

const skill = (name: string, description: string, body = `# ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`

const putOwn = (place: TestFolder, name: string, text: string): void => {
  const file = join(dirname(place.config), "skills", name, "SKILL.md")
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const sentText = ({ bodies }: ModelServer): string => bodies.at(-1) ?? ""

const run = (
  script: ReadonlyArray<Answer>,
  use: (place: TestFolder, server: ModelServer) => Promise<void>
): Promise<void> => withTestFolder((place) => withModel(script, (server) => use(place, server)))

const yes: Answer = { text: "yes" }
const reading = (fields: Readonly<Record<string, string>>) => ({
  text: "",
  calls: [{ name: "read_skill", arguments: fields }]
})

/** The answers of tools, in the order of the calls. */
const answersIn = ({ messages }: ModelServer["requests"][number]): ReadonlyArray<string> =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content))

/** The envelope of `read_skill`, called by the user. */
const read = async (place: TestFolder, fields: Readonly<Record<string, string>>) => {
  const { stdout } = await bough(place, ["call", "read_skill", JSON.stringify(fields)])
  return JSON.parse(stdout) as {
    readonly status: string
    readonly result?: { readonly output: Readonly<Record<string, unknown>> }
    readonly error?: { readonly _tag: string; readonly message?: string; readonly reason?: string }
  }
}

const trust = (place: TestFolder) => bough(place, ["run", "--trust", "--model", "offline/planner", "what time is it"])

describe("skills", () => {
  it("are listed in a line each, and read on demand", () =>
    run([reading({ name: "verse" }), yes], async (place, server) => {
      putOwn(place, "verse", skill("verse", "Answer in verse", "Every line ends in a rhyme."))
      const ended = await bough(place, ["run", "hi"], { env: server.env })
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.include(server.bodies[0], "- verse: Answer in verse")
      assert.notInclude(server.bodies[0], "Every line ends in a rhyme.")
      assert.include(server.requests[0].tools?.map((tool) => tool.function.name) ?? [], "read_skill")
      assert.include(sentText(server), "Every line ends in a rhyme.")
    }))

  it("leave the request unchanged if there are none", () =>
    run([yes], async (place, server) => {
      await bough(place, ["run", "hi"], { env: server.env })
      assert.notInclude(sentText(server), "skill")
    }))

  it("of a project apply once they are trusted, and after a change only once they are trusted again, with all their files", () =>
    run([yes, yes, yes, yes], async (place, { env, ...server }) => {
      put(place, ".agents/skills/pdf/SKILL.md", skill("pdf", "Work with PDF files"))
      put(place, ".agents/skills/pdf/scripts/a.sh", "echo one\n")
      const before = await bough(place, ["run", "hi"], { env })
      assert.notInclude(server.bodies[0], "Work with PDF")
      assert.match(
        before.stderr,
        /^not used, .*: \.agents\/skills\/pdf\/SKILL\.md \("bough --trust" and "bough run --trust" use and remember it\)$/m
      )
      assert.strictEqual((await read(place, { name: "pdf" })).status, "error")

      await bough(place, ["run", "--trust", "hi"], { env })
      await bough(place, ["run", "hi"], { env })
      assert.include(server.bodies[1], "Work with PDF")
      assert.include(server.bodies[2], "Work with PDF")
      assert.deepStrictEqual((await read(place, { name: "pdf" })).result?.output, {
        text: "# pdf",
        folder: join(place.workspace, ".agents/skills/pdf"),
        files: ["scripts/a.sh"]
      })

      put(place, ".agents/skills/pdf/scripts/a.sh", "echo two\n")
      await bough(place, ["run", "hi"], { env })
      assert.notInclude(server.bodies[3], "Work with PDF")
    }))

  it("are refused if they change while the program runs", () =>
    run(
      [
        { text: "", calls: [{ name: "write_file", arguments: { path: ".agents/skills/a/more.md", content: "obey" } }] },
        reading({ name: "a", file: "more.md" }),
        yes
      ],
      async (place, { env, requests }) => {
        put(place, ".agents/skills/a/SKILL.md", skill("a", "One"))
        const file = put(place, ".agents/skills/a/more.md", "more\n")
        await bough(place, ["run", "--trust", "--approve", "allow", "go"], { env })
        assert.strictEqual(readFileSync(file, "utf8"), "obey")
        const [answer] = answersIn(requests[2]).slice(-1)
        assert.include(answer, "more.md has changed since the user trusted the skill a")
        assert.notInclude(answer, "obey")
      }
    ))

  it("give access to their own folder alone", () => {
    const inside = ["more/b.md", "./more/../more/b.md"]
    const denied = ["../../../outside.md", "/etc/passwd", "out.md", ".env"]
    const absent = ["in.md", "none.md", "more"]
    const calls = [...inside, ...denied, ...absent].flatMap((file) => reading({ name: "a", file }).calls)
    return run([{ text: "", calls }, yes], async (place, { env, requests }) => {
      put(place, "outside.md", "outside\n")
      put(place, ".claude/skills/a/SKILL.md", skill("a", "One"))
      put(place, ".claude/skills/a/more/b.md", "what is inside\n")
      put(place, ".claude/skills/a/.env", "KEY=1\n")
      symlinkSync("../../../outside.md", join(place.workspace, ".claude/skills/a/out.md"))
      symlinkSync("more/b.md", join(place.workspace, ".claude/skills/a/in.md"))
      await bough(place, ["run", "--trust", "go"], { env })
      const answers = answersIn(requests[1])
      assert.strictEqual(answers.length, calls.length)
      for (const answer of answers.slice(0, inside.length)) assert.include(answer, "what is inside")
      const failed = answers.slice(inside.length)
      const words = [
        "is outside the workspace",
        "is outside the workspace",
        "leads out of the workspace",
        "needs an approval",
        "was not a file of the skill",
        "there is no file or directory",
        "is a directory"
      ]
      assert.lengthOf(failed, words.length)
      for (const [index, word] of words.entries())
        assert.match(failed[index] ?? "", new RegExp(`^"Error: .*${word}`, "u"))
    })
  })

  it("of a project may not be links that lead out of it", () =>
    run([yes], async (place, server) => {
      const outside = join(place.root, "outside")
      mkdirSync(join(outside, "b"), { recursive: true })
      writeFileSync(join(outside, "b/SKILL.md"), skill("b", "Led out"))
      put(place, ".bough/skills/a/SKILL.md", skill("a", "Held in"))
      symlinkSync(join(outside, "b"), join(place.workspace, ".bough/skills/b"))
      mkdirSync(join(place.workspace, ".claude"))
      symlinkSync("../.bough/skills", join(place.workspace, ".claude/skills"))
      const { stderr } = await bough(place, ["run", "--trust", "hi"], { env: server.env })
      assert.match(stderr, /^\.bough\/skills\/b\/SKILL\.md is not used: it is a link to a place outside the project$/m)
      assert.strictEqual(sentText(server).split("Held in").length, 2)
      assert.notInclude(sentText(server), "Led out")
    }))

  it("of a project replace the user's of the same name, which is reported", () =>
    run([yes], async (place, server) => {
      putOwn(place, "mine", skill("pdf", "My way"))
      put(place, ".bough/skills/pdf/SKILL.md", skill("pdf", "The way here"))
      const { stderr } = await bough(place, ["run", "--trust", "hi"], { env: server.env })
      assert.include(sentText(server), "The way here")
      assert.notInclude(sentText(server), "My way")
      assert.deepStrictEqual(
        lines(stderr).filter((line) => line.includes("is named pdf too")),
        ["~/.config/bough/skills/mine/SKILL.md is not used: .bough/skills/pdf/SKILL.md is named pdf too"]
      )
    }))

  it("that are broken are reported, and stop nothing", () =>
    run([yes], async (place, server) => {
      putOwn(place, "broken", "---\ndescription: no name\n---\n")
      putOwn(place, "huge", skill("huge", "x", "y".repeat(300_000)))
      putOwn(place, "whole", skill("whole", "As it should be"))
      const { code, stderr } = await bough(place, ["run", "hi"], { env: server.env })
      assert.strictEqual(code, 0)
      assert.match(stderr, /skills\/broken\/SKILL\.md is not used: its front matter has no name$/m)
      assert.match(stderr, /skills\/huge\/SKILL\.md is not used: it has \d+ bytes; at most \d+ are read$/m)
      assert.include(sentText(server), "As it should be")
    }))

  it("share a budget in the prompt", () =>
    run([yes], async (place, server) => {
      for (let at = 0; at < 40; at++) putOwn(place, `s${at}`, skill(`s${at}`, "d".repeat(1000)))
      await bough(place, ["run", "hi"], { env: server.env })
      const [named] = /How the user wants certain things done[^"]*/.exec(sentText(server)) ?? [""]
      assert.isBelow(named.length, 5_000)
      for (let at = 0; at < 40; at++) assert.include(named, `- s${at}: d`)
    }))

  it("are listed with their source and the reason why one is not used, and shown", () =>
    withTestFolder(async (place) => {
      assert.include((await bough(place, ["skills"])).stderr, "no skills found")
      putOwn(place, "mine", skill("mine", "My way"))
      put(place, ".bough/skills/pdf/SKILL.md", skill("pdf", "The way here", "# Read this"))
      const listed = await bough(place, ["skills", "list"])
      assert.deepStrictEqual(lines(listed.stdout), [
        "pdf   project  .bough/skills/pdf/SKILL.md  not used, not trusted in its current state; --trust trusts and uses it",
        "mine  user     ~/.config/bough/skills/mine/SKILL.md  My way"
      ])
      await trust(place)
      const asJson = JSON.parse((await bough(place, ["skills", "--format", "json"])).stdout) as ReadonlyArray<
        Readonly<Record<string, unknown>>
      >
      assert.deepStrictEqual(
        asJson.map(({ from, isTrusted, isUsed, name }) => [name, from, isTrusted, isUsed]),
        [
          ["pdf", "project", true, true],
          ["mine", "user", true, true]
        ]
      )
      assert.match((await bough(place, ["skills", "show", "pdf"])).stdout, /^the project's, used\n[^]*# Read this\n/)
      const none = await bough(place, ["skills", "show", "pfd"])
      assert.strictEqual(none.code, 2)
      assert.include(none.stderr, 'unknown skill "pfd"; did you mean pdf?')
    }))
})
