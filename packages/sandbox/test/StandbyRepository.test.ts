/** A session's commands in a repository, whose stand-ins stay from one command to the next. */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { BackgroundCommands } from "../src/index.ts"
import { bubblewrap, fresh } from "./Places.ts"
import { git, repository } from "./Repositories.ts"

const session = Effect.fnUntraced(function* () {
  const { sandbox, workspace } = yield* fresh()
  repository(workspace)
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
  const provided = sandbox.provided({ root: workspace, writable: true, background })
  const { run } = provided.make(SampleInvocation.make({ sessionId: Session.SessionId.make("ses_1") }), () => {})
  return { close: Scope.close(scope, Exit.void), run, workspace }
})

const commit = "echo two >file && git commit -qam second && git rev-parse HEAD"

const identityOf = (path: string): string => {
  const { birthtimeNs, ino } = statSync(path, { bigint: true })
  return `${ino}:${birthtimeNs}`
}

describe.skipIf(bubblewrap.skip)(`A session's commands in a repository${bubblewrap.suffix}`, () => {
  it.live("cannot lose what an earlier one of them committed", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* session()
      const { stdout } = yield* run(commit, { merged: true })
      const id = stdout.trim()
      assert.match(id, /^[0-9a-f]{40}$/)
      assert.isTrue(existsSync(join(workspace, ".git/objects", id.slice(0, 2), id.slice(2))), "it was not moved")
      yield* run("find .git/objects -type f -exec rm -f {} +; rm -rf .git/bough-objects; true", { merged: true })
      assert.strictEqual(git(workspace, "fsck", "--strict").status, 0)
      assert.strictEqual(git(workspace, "log", "-1", "--format=%s", id).stdout, "second\n")
    }).pipe(Effect.scoped)
  )

  it.live("share the directory for new objects, which goes with the session", () =>
    Effect.gen(function* () {
      const { close, run, workspace } = yield* session()
      const names = readdirSync(join(workspace, ".git"))
      yield* run("true", { merged: true })
      const before = identityOf(join(workspace, ".git/bough-objects"))
      yield* run(commit, { merged: true })
      assert.strictEqual(identityOf(join(workspace, ".git/bough-objects")), before)
      yield* close
      assert.sameMembers(
        readdirSync(join(workspace, ".git")).filter((name) => name !== "COMMIT_EDITMSG"),
        names.filter((name) => name !== "COMMIT_EDITMSG")
      )
      assert.isFalse(existsSync(join(workspace, ".git/objects/info/alternates")))
      assert.strictEqual(git(workspace, "fsck", "--strict").status, 0)
    }).pipe(Effect.scoped)
  )
})
