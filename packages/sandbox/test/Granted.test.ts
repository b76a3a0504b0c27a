/** Commands that a user let change protected files: each grant opens the files that it names, and no more. */
import type { Grant } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { Sandbox } from "../src/index.ts"
import { environment, place } from "./Places.ts"

const needed = requires("linux", "bubblewrap", "git")

const files = ["AGENTS.md", ".vscode/settings.json"]
const doors = [".git/config", ".git/hooks/post-checkout", "nested/.git/config"]

/** A repository with another one in it, and the files that a command with these grants has changed. */
const changedWith = Effect.fnUntraced(function* (grants: ReadonlyArray<Grant.Grant>) {
  const { workspace } = yield* place()
  for (const directory of [workspace, join(workspace, "nested")]) {
    mkdirSync(directory, { recursive: true })
    spawnSync("git", ["init", "-q", directory])
  }
  mkdirSync(join(workspace, ".vscode"))
  for (const path of [...files, ...doors]) writeFileSync(join(workspace, path), "[core]\n\tbare = false\n")
  const sandbox = yield* Sandbox.make({}, environment)
  const { run } = sandbox
    .provided({ root: workspace, writable: true })
    .make(SampleInvocation.make({ grants }), () => {})
  yield* run([...files, ...doors].map((path) => `printf '\\n# changed\\n' >> ${path}`).join("; "))
  yield* run("mkdir -p made && cd made && git init -q . && git config core.fsmonitor evil")
  return {
    changed: [...files, ...doors].filter((path) => readFileSync(join(workspace, path), "utf8").includes("changed")),
    hasMade: existsSync(join(workspace, "made/.git"))
  }
})

describe.skipIf(needed.skip)(`A command with a grant${needed.suffix}`, () => {
  it.live("changes instructions and editors' settings, and neither settings, hooks nor new repositories of git", () =>
    Effect.map(changedWith([{ _tag: "Write" }]), (after) =>
      assert.deepStrictEqual(after, { changed: files, hasMade: false })
    )
  )

  it.live("changes those of git too if the grant names repositories", () =>
    Effect.map(changedWith([{ _tag: "Write", repositories: true }]), (after) =>
      assert.deepStrictEqual(after, { changed: [...files, ...doors], hasMade: true })
    )
  )

  it.live("changes none of them without one", () =>
    Effect.map(changedWith([]), (after) => assert.deepStrictEqual(after, { changed: [], hasMade: false }))
  )
})
