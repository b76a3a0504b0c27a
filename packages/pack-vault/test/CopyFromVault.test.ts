/** `copy_from_vault` over a real workspace; the vault has one entry. */
import { ToolError } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import { Capability, Invocation, Progress } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { Workspace } from "@bough/workspace"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CopyFromVault, VaultCopied, VaultPack } from "../src/index.ts"

const value = "npm_4f7c1b2a9d"

const open = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "bough-pack-vault-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const marked: Array<string> = []
  const at = (path: string): string => join(root, path)
  const workspace = yield* Workspace.make({ root, secretPaths: () => marked.map(at) }).pipe(
    Effect.provide(ProcessRunnerNode.layer)
  )
  const vault: Capability.Vault["Service"] = {
    names: Effect.succeed(["NPM_TOKEN"]),
    read: (name, field) =>
      name === "NPM_TOKEN"
        ? Effect.succeed(Buffer.from(value))
        : Effect.fail(new ToolError.ValidationError({ message: "it holds NPM_TOKEN", field, issues: [] })),
    markCopy: (_name, path) =>
      Effect.sync(() => {
        assert.isFalse(fs.existsSync(at(path)) && !marked.includes(path), "marked before it is written")
        marked.push(path)
      }),
    isCopy: (path) => Effect.succeed(marked.includes(path))
  }
  const context = Context.make(Capability.WorkspaceRead, workspace.read([])).pipe(
    Context.add(Capability.WorkspaceWrite, workspace.write([])),
    Context.add(Capability.Vault, vault),
    Context.add(Invocation.Invocation, SampleInvocation.make({ workspaceRoot: root })),
    Context.add(Progress.Progress, { report: () => Effect.void }),
    Context.add(Scope.Scope, yield* Effect.scope)
  )
  return {
    at,
    workspace,
    copy: (name: string, path: string) => Effect.setContext(CopyFromVault.execute({ name, path }), context),
    preview: (name: string, path: string) =>
      Effect.setContext(CopyFromVault.preview?.({ name, path }) ?? Effect.die("no preview"), context)
  }
})

packFilesSpec("VaultPack", VaultPack.all, new URL("../src", import.meta.url))

describe("copy_from_vault", () => {
  it.live("writes the bytes to a file that no tool can read from then on, and returns none of them", () =>
    Effect.gen(function* () {
      const { at, copy, workspace } = yield* open
      const result = yield* copy("NPM_TOKEN", "config/token.txt")
      assert.strictEqual(fs.readFileSync(at("config/token.txt"), "utf8"), value)
      assert.strictEqual(fs.statSync(at("config/token.txt")).mode & 0o777, 0o600)
      assert.notInclude(JSON.stringify(result), value)
      assert.deepStrictEqual(result.artifacts?.map(VaultCopied.read), [{ name: "NPM_TOKEN", path: "config/token.txt" }])
      const reads = workspace.read([])
      assert.match((yield* Effect.flip(reads.readFile("config/token.txt", 100))).message, /SecretFile/)
      assert.strictEqual((yield* reads.inspect("config/token.txt")).sensitivity, "secret")
      const hits = yield* reads.search({
        pattern: "npm_",
        path: ".",
        globs: [],
        caseSensitive: true,
        literal: true,
        contextLines: 0,
        limit: 10
      })
      assert.deepStrictEqual(hits.items, [])
    })
  )

  it.live("replaces a copy of its own, and nothing else", () =>
    Effect.gen(function* () {
      const { at, copy } = yield* open
      fs.writeFileSync(at("mine.txt"), "mine")
      const refused = yield* Effect.flip(copy("NPM_TOKEN", "mine.txt"))
      assert.match(refused.message, /exists already and is not a copy/)
      assert.strictEqual(fs.readFileSync(at("mine.txt"), "utf8"), "mine")
      yield* copy("NPM_TOKEN", "token.txt")
      assert.isFalse((yield* copy("NPM_TOKEN", "token.txt")).output.created)
      assert.match((yield* Effect.flip(copy("OTHER", "b.txt"))).message, /it holds NPM_TOKEN/)
      assert.isFalse(fs.existsSync(at("b.txt")))
      assert.match((yield* Effect.flip(copy("NPM_TOKEN", "../b.txt"))).message, /outside the workspace/)
    })
  )

  it.live("shows a user the names, and binds the approval to no digest of a secret", () =>
    Effect.gen(function* () {
      const { copy, preview } = yield* open
      const before = yield* preview("NPM_TOKEN", "token.txt")
      assert.match(before.render, /Copy the vault entry NPM_TOKEN to token\.txt \(a new file\)/)
      yield* copy("NPM_TOKEN", "token.txt")
      const after = yield* preview("NPM_TOKEN", "token.txt")
      assert.notDeepEqual(before.preconditions, after.preconditions)
      assert.notInclude(JSON.stringify(after), "sha256:")
    })
  )
})
