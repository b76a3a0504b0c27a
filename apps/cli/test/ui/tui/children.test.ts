/**
 * An agent of a conversation is watched, steered and stopped from the conversation, and its transcript can be read
 * afterwards.
 */
import { assert, describe, it } from "@effect/vitest"
import { until, withTestFolder } from "../../program/Bough.ts"
import { type Answer, type Request, say, withModel } from "../../program/ModelServer.ts"
import { withScreen } from "../../program/ScreenInProcess.ts"

const textOf = ({ messages }: Request): string => JSON.stringify(messages)

const ofBranch = (request: Request): boolean => textOf(request).includes("You are a branch")

const isToldToEnd = (request: Request): boolean => textOf(request).includes("to end now (stopped by the user)")

/**
 * The main session starts a branch; the branch continues once it is released, and after `stopped` until it is told to
 * end.
 */
const scripted = ({ released, stopped }: Readonly<Record<"released" | "stopped", Promise<void>>>) => {
  const steps = { main: 0, branch: 0 }
  return (request: Request): Answer => {
    if (ofBranch(request)) {
      if (isToldToEnd(request)) return say("Half of them.")
      steps.branch += 1
      const path = `none${steps.branch}.txt`
      const calls = [{ name: "read_file", arguments: { path } }]
      return steps.branch === 1
        ? { text: "I look at the tests.", calls, after: released }
        : { text: "The unit tests", calls, after: stopped }
    }
    const answers = [
      { text: "", calls: [{ name: "spawn_branch", arguments: { task: "Look at the tests" } }] },
      say("A branch looks."),
      say("It was stopped.")
    ]
    return answers[steps.main++] ?? say("Nothing more.")
  }
}

describe("an agent of the conversation", () => {
  it("is opened by a key, steered and stopped, and its transcript can be read afterwards", () => {
    const released = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    const script = scripted({ released: released.promise, stopped: stopped.promise })
    return withTestFolder((place) =>
      withModel(script, async ({ env, requests }) => {
        await withScreen(place, { env, columns: 100 }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          screen.type("look around")
          await screen.shows(/→ branch “Look at the tests”[\s\S]*Ctrl-T opens one[\s\S]*1 agent running/)
          screen.press("C-t")
          await screen.shows(/Agents[\s\S]*Look at the tests +branch/)
          screen.press("Enter")
          await screen.shows(/I look at the tests\.[\s\S]*s steer · x stop/)
          screen.press("s")
          await screen.shows("✎")
          screen.press("-l", "only the unit tests")
          await screen.shows("✎ only the unit tests")
          screen.press("Enter")
          await screen.shows(/s steer · x stop/)
          released.resolve()
          await until(() => requests.some((request) => request.messages.at(-1)?.content === "only the unit tests"))
          await screen.shows(/› only the unit tests[\s\S]*The unit tests/)
          screen.press("x")
          await screen.shows("x again stops it")
          screen.press("x")
          stopped.resolve()
          // An agent that has ended accepts no more messages.
          await screen.shows(/\n↑↓ choose · Enter open or close/)
          assert.isTrue(isToldToEnd(requests.findLast(ofBranch) ?? assert.fail()))
          screen.press("Escape")
          await screen.shows(/✗ branch “Look at the tests” cancelled: stopped by the user[\s\S]*It was stopped\./)
          screen.press("C-t")
          await screen.shows(/Agents[\s\S]*Look at the tests/)
          screen.press("Enter")
          const after = await screen.shows(/I look at the tests\.[\s\S]*› only the unit tests/)
          assert.notInclude(after.slice(after.lastIndexOf("I look at the tests.")), "s steer")
        })
      })
    )
  })
})
