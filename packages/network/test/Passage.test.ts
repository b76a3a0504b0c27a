/** Which redirects are followed, by the protocols and addresses of their two ends. */
import { ToolError } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Passage from "../src/Passage.ts"
import * as Target from "../src/Target.ts"

const target = (url: string, base?: Target.Target) => Result.getOrThrow(Target.parse(url, base?.url))

const words = (from: string, to: string, why: string | null = null) => {
  const start = target(from)
  return Effect.match(
    Passage.redirect(() => why, start, target(to, start)),
    {
      onSuccess: () => "followed",
      onFailure: (error) => ToolError.describe(error)
    }
  )
}

describe("Passage", () => {
  it.effect("a redirect never leads from https to http, even if it is allowed, and reports that", () =>
    Effect.gen(function* () {
      for (const to of ["http://a.test/x", "http://b.test/", "HTTP://a.test:443/", "http:/x"]) {
        assert.match(
          yield* words("https://a.test/", to),
          /Downgrade: https:\/\/a\.test\/ leads to http:.*not encrypted/
        )
      }
      assert.strictEqual(yield* words("https://a.test/", "/x"), "followed")
      assert.strictEqual(yield* words("https://a.test/", "//b.test/x"), "followed")
      assert.strictEqual(yield* words("http://a.test/", "https://a.test/"), "followed")
      assert.strictEqual(yield* words("http://a.test/", "http://b.test/"), "followed")
    })
  )

  it.effect("a redirect that the session denies is refused with both ends and its reason", () =>
    Effect.gen(function* () {
      assert.include(
        yield* words("https://a.test/", "https://b.test/?d=1#x", "nobody agreed"),
        "Redirect: https://a.test/ leads to https://b.test/?d=1, which was not followed: nobody agreed"
      )
    })
  )
})
