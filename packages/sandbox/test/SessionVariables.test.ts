/** Variables that tools set and read: separate by session, without secrets, separate from the process. */
import { Session, type ToolError } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionVariables } from "../src/index.ts"

const secret = "sk-1234567890"

const host = {
  LANG: "C.UTF-8",
  LC_TIME: "de_DE.UTF-8",
  PATH: "/bin",
  HOME: `/home/${secret}`,
  AWS_PROFILE: "work",
  GITHUB_TOKEN: "visible",
  BOUGH_HOME: "/home/me/.bough",
  CHOSEN: "by the operator",
  EMPTY: undefined
}

const make = () => {
  const { make: of } = SessionVariables.make({
    host,
    extraKeys: ["CHOSEN", "GITHUB_TOKEN"],
    holdsSecret: (text) => text.includes(secret)
  }).provided
  return (name: string) => of(SampleInvocation.make({ sessionId: Session.SessionId.make(name) }), () => {})
}

const reasonOf = (call: Effect.Effect<unknown, ToolError.ToolError>): Effect.Effect<string> =>
  Effect.map(Effect.orDie(Effect.flip(call)), (error) => `${error._tag}: ${error.message}`)

describe("SessionVariables", () => {
  it.effect("of the process's variables tools read the listed ones, and none with a secret", () =>
    Effect.gen(function* () {
      const { get } = make()("s")
      for (const name of ["LANG", "LC_TIME", "PATH", "CHOSEN"] as const) {
        assert.deepStrictEqual(yield* get(name), { value: host[name], from: "process" })
      }
      for (const name of ["AWS_PROFILE", "BOUGH_HOME", "HOME", "EMPTY", "toString", "__proto__"]) {
        assert.isNull(yield* get(name), name)
      }
    })
  )

  it.effect("a session's own variable has precedence over the process's, and no other session sees it", () =>
    Effect.gen(function* () {
      const of = make()
      assert.deepStrictEqual(yield* of("a").set("LANG", "eo"), { value: "C.UTF-8", from: "process" })
      assert.deepStrictEqual(yield* of("a").set("LANG", ""), { value: "eo", from: "session" })
      assert.deepStrictEqual(yield* of("a").get("LANG"), { value: "", from: "session" })
      assert.deepStrictEqual(yield* of("b").get("LANG"), { value: "C.UTF-8", from: "process" })
      assert.strictEqual(host.LANG, "C.UTF-8")
    })
  )

  it.effect("names of secrets are refused, other names are not", () =>
    Effect.gen(function* () {
      const { get, set } = make()("s")
      const secretive = [
        "GITHUB_TOKEN",
        "npm_config__authToken",
        "OPENAI_API_KEY",
        "apikey",
        "AWS_SECRET_ACCESS_KEY",
        "DB_PASSWORD",
        "SSH_PRIVATE_KEY_PATH",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "TOKENS",
        "BASIC_AUTH"
      ]
      for (const name of secretive) {
        const reason = `PermissionDenied: ${name} is named like a secret: tools neither see nor set such variables`
        assert.strictEqual(yield* reasonOf(get(name)), reason)
        assert.strictEqual(yield* reasonOf(set(name, "x")), reason)
      }
      for (const name of ["PWD", "AUTHOR", "KEYBOARD", "MONKEY", "TOKENIZERS_PARALLELISM", "COMPASS", "PASSAGE"]) {
        assert.isNull(yield* set(name, "x"), name)
      }
    })
  )

  it.effect("a value with a known secret is refused without being named", () =>
    Effect.gen(function* () {
      const { get, set } = make()("s")
      const reason = yield* reasonOf(set("GREETING", `hello ${secret}`))
      assert.strictEqual(reason, "PermissionDenied: the value for GREETING contains a secret, which tools do not store")
      assert.isNull(yield* get("GREETING"))
    })
  )

  it.effect("a session has at most 128 variables, and may still change those", () =>
    Effect.gen(function* () {
      const { get, set } = make()("s")
      yield* Effect.forEach(Array.from({ length: 128 }), (_, index) => set(`V${index}`, "x"), { discard: true })
      assert.include(yield* reasonOf(set("V128", "x")), "ExecutionError: a session may have at most 128 variables")
      yield* set("V0", "changed")
      assert.deepStrictEqual(yield* get("V0"), { value: "changed", from: "session" })
    })
  )
})
