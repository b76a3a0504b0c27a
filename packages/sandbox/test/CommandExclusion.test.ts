/** Commands in the sandbox and outside of it never run at the same time: an approved preview stays valid. */
import { Session } from "@bough/protocol"
import { Grant } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CommandExclusion from "../src/CommandExclusion.ts"
import { BackgroundCommands, Sandbox } from "../src/index.ts"
import { bubblewrap, environment, eventually, place } from "./Places.ts"

const called = (tree: string, grants: ReadonlyArray<Grant.Grant> = []) => {
  const sessionId = Session.SessionId.make(tree)
  return SampleInvocation.make({ sessionId, sessionPath: [sessionId], grants })
}

const sessions = Effect.gen(function* () {
  const { workspace } = yield* place()
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const sandbox = yield* Sandbox.make({}, environment)
  const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
  const provided = sandbox.provided({ root: workspace, writable: true, background })
  const of = (tree: string, grants: ReadonlyArray<Grant.Grant> = []) => provided.make(called(tree, grants), () => {})
  const outside = (tree: string) => of(tree, [Grant.Grant.cases.Unconfined.make({})])
  return { workspace, provided, of, outside }
})

describe.skipIf(bubblewrap.skip)(`A command outside of the sandbox${bubblewrap.suffix}`, () => {
  it.live("does not run while one in the sandbox does, and asks its user only when it can run", () =>
    Effect.gen(function* () {
      const { of, outside, provided, workspace } = yield* sessions
      const { background } = of("a")
      if (background === undefined) return assert.fail("no command goes on")
      writeFileSync(join(workspace, "deploy.sh"), "echo good\n")
      const { commandId } = yield* background.start(
        "while :; do echo 'echo evil' > deploy.sh; sleep 0.01; echo 'echo good' > deploy.sh; sleep 0.01; done",
        {}
      )
      const invocation = called("a", [Grant.Grant.cases.Unconfined.make({})])
      assert.isTrue(yield* eventually(() => provided.whyNotNow?.(invocation) !== null))
      assert.match(
        provided.whyNotNow?.(invocation) ?? "",
        /is running in the sandbox and could change files .* stop it/u
      )
      assert.match((yield* Effect.flip(outside("a").run("sh deploy.sh"))).message, /is running in the sandbox/u)
      // Another tree is not affected, nor is a call that stays in the sandbox.
      assert.strictEqual((yield* outside("b").run("echo other")).stdout, "other\n")
      assert.isNull(provided.whyNotNow?.({ ...invocation, grants: [] }))
      yield* background.stop(commandId)
      assert.isNull(provided.whyNotNow?.(invocation))
      writeFileSync(join(workspace, "deploy.sh"), "echo good\n")
      assert.strictEqual((yield* outside("a").run("sh deploy.sh")).stdout, "good\n")
    })
  )

  it.live("keeps those in the sandbox from starting until its end", () =>
    Effect.gen(function* () {
      const { of, outside, workspace } = yield* sessions
      const running = yield* Effect.forkChild(outside("a").run("touch begun; until [ -e over ]; do sleep 0.02; done"))
      assert.isTrue(yield* eventually(() => existsSync(join(workspace, "begun"))))
      assert.match((yield* Effect.flip(of("a").run("touch changed"))).message, /is running outside of the sandbox/u)
      assert.isFalse(existsSync(join(workspace, "changed")))
      writeFileSync(join(workspace, "over"), "")
      assert.strictEqual((yield* Fiber.join(running)).exitCode, 0)
      assert.strictEqual((yield* of("a").run("echo now")).stdout, "now\n")
    })
  )
})

describe("The record of running commands", () => {
  it.effect("knows the other commands of a tree after the end of one, however it ends", () =>
    Effect.gen(function* () {
      const exclusion = CommandExclusion.make()
      const tree = Session.SessionId.make("a")
      const apart = (invoke: string, isConfined: boolean, run: Effect.Effect<void>) =>
        CommandExclusion.whileApart(exclusion, { tree, invoke, isConfined }, run)
      const first = yield* Effect.forkChild(apart("first", true, Effect.never), { startImmediately: true })
      yield* apart("second", true, Effect.void)
      assert.match(CommandExclusion.whyConfined(exclusion, tree) ?? "", /first/u)
      assert.match((yield* Effect.flip(apart("host", false, Effect.void))).message, /first/u)
      yield* Fiber.interrupt(first)
      yield* apart("host", false, Effect.void)
      assert.strictEqual(exclusion.size, 0)
    })
  )
})
