/** User-defined commands from Bough's folders and from those of other agents. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as CustomCommands from "../../src/commands/CustomCommands.ts"
import { find } from "../../src/project/ProjectFiles.ts"

/** Reads the commands of a home and of a project in it, which have these files. */
const commandsOf = (files: Readonly<Record<string, string>>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-commands-"))),
    (home) => {
      mkdirSync(join(home, "project", ".git"), { recursive: true })
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, name)), { recursive: true })
        writeFileSync(join(home, name), text)
      }
      const project = find(join(home, "project")).files.flatMap((file) => (file.kind === "command" ? [file] : []))
      return CustomCommands.read({ home, variables: {}, platform: "linux" }, { project, skills: [] })
    },
    (home) => Effect.sync(() => rmSync(home, { recursive: true }))
  )

const matter = (keys: ReadonlyArray<string>, body: string): string => ["---", ...keys, "---", body].join("\n")

describe("commands of other agents", () => {
  it.effect("are read in place, with the keys that Bough has", () =>
    Effect.gen(function* () {
      const keys = [
        "description: Review it",
        "argument-hint: [path] [level]",
        "allowed-tools: Bash(git:*)",
        "model: opus"
      ]
      const { commands, notices } = yield* commandsOf({
        ".claude/commands/Fix_Issue.md": "Fix $ARGUMENTS",
        ".codex/prompts/draft.md": "Draft $1",
        ".config/opencode/command/plan.md": matter(["agent: plan", "subtask: true"], "Plan it"),
        "project/.claude/commands/review.md": matter(keys.with(1, "argument-hint: '[path] [level]'"), "Review $1"),
        "project/.opencode/command/test.md": matter(["argument-hint: [path]", "model: a/b"], "Test it")
      })
      assert.deepStrictEqual(notices, [])
      assert.deepStrictEqual(
        commands.map(({ argumentHint, description, model, name, template }) => [
          name,
          description,
          argumentHint,
          model,
          template
        ]),
        [
          ["fix-issue", "Fix $ARGUMENTS", "", null, "Fix $ARGUMENTS"],
          ["draft", "Draft $1", "", null, "Draft $1"],
          ["plan", "Plan it", "", null, "Plan it"],
          ["review", "Review it", "[path] [level]", null, "Review $1"],
          ["test", "Test it", "[path]", null, "Test it"]
        ]
      )
    })
  )

  it.effect("give way to Bough's own and to the user's, without a notice", () =>
    Effect.gen(function* () {
      const { commands, notices } = yield* commandsOf({
        ".claude/commands/one.md": "the user's for another agent",
        ".config/bough/commands/one.md": "the user's",
        "project/.bough/commands/two.md": "the project's",
        "project/.claude/commands/one.md": "the project's for another agent",
        "project/.claude/commands/two.md": "the project's for another agent"
      })
      assert.deepStrictEqual(notices, [])
      assert.deepStrictEqual(
        commands.map(({ template }) => template),
        ["the user's", "the project's"]
      )
    })
  )

  it.effect("leave Bough's own files strict", () =>
    Effect.gen(function* () {
      const { commands, notices } = yield* commandsOf({
        ".config/bough/commands/one.md": matter(["allowed-tools: all"], "One"),
        "project/.bough/commands/Two.md": "Two",
        "project/.claude/commands/three.md": "---\n- a list\n---\nThree"
      })
      assert.deepStrictEqual(commands, [])
      assert.lengthOf(notices, 3)
    })
  )
})
