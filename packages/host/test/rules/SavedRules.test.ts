/** Rules on the disk: changes of another process, and how often a session reads them. */
import { RuleFields } from "@bough/dispatch"
import { FilesPack } from "@bough/pack-files"
import { ShellPack } from "@bough/pack-shell"
import { CallText, RuleMatch, RuleOf } from "@bough/policy"
import { Canonical } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SavedRules from "../../src/rules/SavedRules.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-rules-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const nextTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

const registry = new Map<string, Tool.Any>(Object.entries(FilesPack.all.tools))

const rule = "allow read_file"

describe("SavedRules", () => {
  it.live("sees the rules that another process saved or revoked, and reads once per turn of the event loop", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const port = SavedRules.port({ dataDirectory, registry, workspaceRoot: dataDirectory })
      const saving = { rule, scope: "user", principal: "ana", workspaceRoot: null, keptAtMillis: 0, match: [] } as const
      assert.lengthOf(port.now(), 0)
      SavedRules.saveRule(dataDirectory, saving)
      assert.lengthOf(port.now(), 0, "the same turn")
      yield* nextTurn
      assert.lengthOf(port.now(), 1)
      const [saved] = SavedRules.all(dataDirectory).rules
      SavedRules.remove(dataDirectory, saved.id)
      yield* nextTurn
      assert.lengthOf(port.now(), 0)
    }).pipe(Effect.scoped)
  )

  it.live(
    "sees a project's rule in its folder and not above it, and drops a rule that does not cover its own call",
    () =>
      Effect.gen(function* () {
        const dataDirectory = yield* directory
        const portIn = (workspaceRoot: string) => SavedRules.port({ dataDirectory, registry, workspaceRoot })
        const here = portIn("/srv/here")
        yield* here.save({ rule, scope: "project", principal: "ana", call: null })
        const write = "allow write_file path=src/"
        yield* here.save({ rule: write, scope: "user", principal: "ana", call: "write_file path=docs/a" })
        assert.deepStrictEqual(
          here.now().map(({ text }) => text),
          [rule]
        )
        assert.lengthOf(portIn("/srv").now(), 0)
        assert.lengthOf(portIn("/srv/hereafter").now(), 0)
        yield* here.save({ rule: write, scope: "user", principal: "ana", call: "write_file path=src/a" })
        assert.deepStrictEqual(
          portIn("/elsewhere")
            .now()
            .map(({ text }) => text),
          [write]
        )
      }).pipe(Effect.scoped)
  )

  it.live("sees a project's rule below its folder, where its paths count from that folder", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const dataDirectory = yield* directory
      const below = join(root, "packages", "app")
      mkdirSync(below, { recursive: true })
      const portIn = (workspaceRoot: string) => SavedRules.port({ dataDirectory, registry, workspaceRoot })
      const text = "allow write_file path=packages/app/src/"
      const save = {
        rule: text,
        scope: "project",
        principal: "ana",
        call: "write_file path=packages/app/src/a.md"
      } as const
      yield* portIn(root).save(save)
      const [found] = portIn(below).now()
      const { write_file: tool } = FilesPack.all.tools
      const covers = (path: string) =>
        RuleMatch.matches(found, RuleFields.subjectOf(tool, Canonical.stringify({ path, content: "x" }), below))
      assert.deepStrictEqual([covers("src/b.md"), covers("packages/app/src/b.md")], [true, false])
    }).pipe(Effect.scoped)
  )

  it.live("ends a project's rule that allows at another repository, and not one that denies", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const dataDirectory = yield* directory
      mkdirSync(join(root, ".git"))
      mkdirSync(join(root, "clone", ".git"), { recursive: true })
      mkdirSync(join(root, "clone", "src"))
      const portIn = (workspaceRoot: string) => SavedRules.port({ dataDirectory, registry, workspaceRoot })
      const denied = "deny delete_path"
      yield* portIn(root).save({ rule, scope: "project", principal: "ana", call: null })
      yield* portIn(root).save({ rule: denied, scope: "project", principal: "ana", call: null })
      const textsIn = (path: string) =>
        portIn(join(root, path))
          .now()
          .map(({ text }) => text)
          .toSorted()
      assert.deepStrictEqual(textsIn("docs"), [rule, denied])
      assert.deepStrictEqual(textsIn("clone"), [denied])
      assert.deepStrictEqual(textsIn("clone/src"), [denied])
    }).pipe(Effect.scoped)
  )

  it.live.each([
    { command: "npm view left-pad version", escalate: { to: "network", reason: "look" } },
    { argv: ["npm", "view", "left-pad"], escalate: { to: "network", reason: "look" } },
    { command: 'echo "a b" > out', escalate: { to: "write", reason: "put it there" } },
    { command: "npm test && npm run build", escalate: { to: "host", reason: "needs it" } },
    { command: "git push origin main", cwd: "docs", timeoutMillis: 120_000, escalate: { to: "host", reason: "push" } }
  ])("sees the rule that the user was offered for a command: %j", (callArguments) =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const { run_command: tool } = ShellPack.all.tools
      const shell = new Map<string, Tool.Any>([[tool.name, tool]])
      const port = SavedRules.port({ dataDirectory, registry: shell, workspaceRoot: dataDirectory })
      const commands = yield* (
        tool.commands?.(Schema.decodeUnknownSync(tool.parameters)(callArguments)) ?? Effect.succeed(null)
      )
      const subject = RuleFields.subjectOf(tool, Canonical.stringify(callArguments), dataDirectory)
      const rule = RuleOf.ruleOf({ ...subject, commands, tier: "Elevated" })?.text ?? assert.fail("no rule")
      const call = CallText.formatCall({ tool: tool.name, arguments: callArguments })
      assert.isNotNull(call)
      yield* port.save({ rule, scope: "project", principal: "ana", call })
      assert.deepStrictEqual(
        port.now().map(({ text }) => text),
        [rule]
      )
    }).pipe(Effect.scoped)
  )

  it.live("sees its own saved rule at once", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const port = SavedRules.port({ dataDirectory, registry, workspaceRoot: dataDirectory })
      assert.lengthOf(port.now(), 0)
      yield* port.save({ rule, scope: "user", principal: "ana", call: null })
      assert.lengthOf(port.now(), 1)
    }).pipe(Effect.scoped)
  )
})
