/** What the next reply may have, so that it overdraws nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Budget as BudgetData } from "@bough/protocol"
import * as Schema from "effect/Schema"
import * as Budget from "../src/Budget.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Facts = Schema.Struct({
  tokens: Schema.NullOr(upTo(100_000)),
  cents: Schema.NullOr(upTo(500)),
  spentTokens: upTo(50_000),
  spentCents: upTo(250),
  reservedTokens: upTo(20_000),
  reservedCents: upTo(100)
})
const prices = Schema.UndefinedOr(Schema.Literals([0, 0.4, 2.5, 15, 75]))

const pageOf = (facts: typeof Facts.Type): Budget.Page => ({
  limit: {
    ...BudgetData.unlimited,
    outputTokens: facts.tokens,
    costUsd: facts.cents === null ? null : facts.cents / 100
  },
  spent: { ...BudgetData.nothing, outputTokens: facts.spentTokens, costUsd: facts.spentCents / 100 },
  reserved: { ...BudgetData.nothing, outputTokens: facts.reservedTokens, costUsd: facts.reservedCents / 100 }
})

/** Whether a reply of so many tokens is within what is left. */
const fits = (page: Budget.Page, tokens: number, perMillionUsd: number): boolean => {
  const [tokensLeft, usdLeft] = [Budget.left(page, "outputTokens"), Budget.left(page, "costUsd")]
  return (
    (tokensLeft === null || tokens <= tokensLeft) &&
    (usdLeft === null || (tokens * perMillionUsd) / 1_000_000 <= usdLeft + 1e-12)
  )
}

describe("Budget", () => {
  it.prop(
    "lets a reply have all that is left and not a token more",
    [Facts, prices],
    ([facts, perMillionUsd]) => {
      const page = pageOf(facts)
      const tokens = Budget.replyTokens(page, perMillionUsd)
      // An unknown price cannot be held to.
      if (tokens === null) return assert.isTrue(fits(page, 1e12, perMillionUsd ?? 0))
      assert.isTrue(fits(page, tokens, perMillionUsd ?? 0))
      // One may be lost where money is rounded.
      assert.isFalse(fits(page, tokens + 2, perMillionUsd ?? 0))
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "is exhausted where a reply could not say anything, and only there",
    [Facts, prices],
    ([facts, perMillionUsd]) => {
      const page = pageOf(facts)
      const tokens = Budget.replyTokens(page, perMillionUsd)
      const isSpent = Budget.left(page, "outputTokens") === 0 || Budget.left(page, "costUsd") === 0
      assert.strictEqual(Budget.exhausted(page, perMillionUsd) !== null, isSpent || (tokens !== null && tokens < 16))
    },
    { arbitrary: { runs: 500 } }
  )
})
