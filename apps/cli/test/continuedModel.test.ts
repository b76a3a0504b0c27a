/** A session continues with the model of its newest step, in every way to continue it. */
import { assert, describe, it } from "@effect/vitest"
import { configure, type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type ModelServer, say, withModel } from "./program/ModelServer.ts"

const named = (name: string): string => `openai-compatible/${name}`

/** A folder whose configuration names the model `usual`; `env` names none. */
const continuing = (
  use: (place: TestFolder, server: ModelServer, env: Readonly<Record<string, string>>) => Promise<void>
): Promise<void> =>
  withTestFolder((place) =>
    withModel(
      () => say("yes"),
      (server) => {
        configure(place, JSON.stringify({ model: named("usual") }))
        const { BOUGH_MODEL: _, ...env } = server.env
        return use(place, server, env)
      }
    )
  )

const models = ({ requests }: ModelServer): ReadonlyArray<string> => requests.map(({ model }) => model)

describe("a session that continues", () => {
  it("keeps the model that was named for it, until another is named", () =>
    continuing(async (place, server, env) => {
      await bough(place, ["run", "--model", named("special"), "hi"], { env })
      const listed = await bough(place, ["sessions", "list", "--format", "json"])
      const [{ sessionId }] = JSON.parse(listed.stdout) as ReadonlyArray<{ readonly sessionId: string }>
      await bough(place, ["run", "--continue", "more"], { env })
      await bough(place, ["run", "--session", sessionId, "more"], { env })
      await bough(place, ["run", "--continue", "--model", named("other"), "more"], { env })
      await bough(place, ["run", "--continue", "more"], { env })
      await bough(place, ["run", "--continue", "more"], { env: { ...env, BOUGH_MODEL: named("third") } })
      await bough(place, ["run", "new"], { env })
      assert.deepStrictEqual(models(server), ["special", "special", "special", "other", "other", "third", "usual"])
    }))

  it("keeps its model in a conversation, also when /resume opens it", () =>
    continuing(async (place, server, env) => {
      await bough(place, ["run", "--model", named("special"), "hi"], { env })
      const listed = await bough(place, ["sessions", "list", "--format", "json"])
      const [{ sessionId }] = JSON.parse(listed.stdout) as ReadonlyArray<{ readonly sessionId: string }>
      const stdin = `first\n/resume ${sessionId}\nsecond\n/new\nthird\n`
      const talked = await bough(place, [], { env, stdin })
      assert.include(talked.stderr + talked.stdout, `session ${sessionId} with ${named("special")}`)
      await bough(place, ["--session", sessionId], { env, stdin: "fourth\n" })
      assert.deepStrictEqual(models(server), ["special", "usual", "special", "special", "special"])
    }))

  it("gets the configured model if only the offline demo has answered in it", () =>
    continuing(async (place, server, env) => {
      await bough(place, ["run", "--model", "offline/planner", "current time"], { env })
      await bough(place, ["run", "--continue", "more"], { env })
      assert.deepStrictEqual(models(server), ["usual"])
    }))
})
