/** The limits of the next step, so that it overdraws nothing. */
import { Budget as BudgetData } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Budget from "../src/budget/Budget.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Facts = Schema.Struct({
  tokens: Schema.NullOr(upTo(100_000)),
  inputTokens: Schema.NullOr(upTo(100_000)),
  promptTokens: upTo(100_000),
  cents: Schema.NullOr(upTo(500)),
  spentTokens: upTo(50_000),
  spentCents: upTo(250),
  reservedTokens: upTo(20_000),
  reservedCents: upTo(100)
})
const prices = Schema.UndefinedOr(Schema.Literals([0, 0.4, 2.5, 15, 75]))

const balanceOf = (facts: typeof Facts.Type): Budget.Balance => ({
  limit: {
    ...BudgetData.unlimited,
    outputTokens: facts.tokens,
    inputTokens: facts.inputTokens,
    costUsd: facts.cents === null ? null : facts.cents / 100
  },
  spent: { ...BudgetData.nothing, outputTokens: facts.spentTokens, costUsd: facts.spentCents / 100 },
  reserved: { ...BudgetData.nothing, outputTokens: facts.reservedTokens, costUsd: facts.reservedCents / 100 }
})

interface Prices {
  readonly inputPerMillionUsd: number | undefined
  readonly outputPerMillionUsd: number | undefined
}

const pricesOf = (input: number | undefined, output: number | undefined): Prices => ({
  inputPerMillionUsd: input,
  outputPerMillionUsd: output
})

/** True if a step with a reply of so many tokens is within the remaining budget. An unknown price cannot be checked. */
const fits = (balance: Budget.Balance, promptTokens: number, tokens: number, prices: Prices): boolean => {
  const { inputPerMillionUsd = 0, outputPerMillionUsd = 0 } = prices
  const [input, output] = [Budget.remainingOf(balance, "inputTokens"), Budget.remainingOf(balance, "outputTokens")]
  const usd = Budget.remainingOf(balance, "costUsd")
  return (
    (input === null || promptTokens <= input) &&
    (output === null || tokens <= output) &&
    (usd === null || (promptTokens * inputPerMillionUsd + tokens * outputPerMillionUsd) / 1_000_000 <= usd + 1e-12)
  )
}

describe("Budget", () => {
  it.prop(
    "lets a reply have the entire remainder after its prompt, and not a token more",
    [Facts, prices, prices],
    ([facts, input, output]) => {
      const balance = balanceOf(facts)
      const { promptTokens } = facts
      const demand = { promptTokens, ...pricesOf(input, output) }
      if (Budget.exhaustedDimension(balance, demand) !== null) return
      const tokens = Budget.replyTokens(balance, demand)
      if (tokens === null) return assert.isTrue(fits(balance, promptTokens, 1e12, pricesOf(input, undefined)))
      assert.isTrue(fits(balance, promptTokens, tokens, demand))
      // Rounding of money may lose one.
      assert.isFalse(fits(balance, promptTokens, tokens + 2, demand))
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "is exhausted if the prompt does not fit or no token of a reply would, and only then",
    [Facts, prices, prices],
    ([facts, input, output]) => {
      const balance = balanceOf(facts)
      const demand = { promptTokens: facts.promptTokens, ...pricesOf(input, output) }
      const isSpent = (["inputTokens", "outputTokens", "costUsd"] as const).some(
        (name) => Budget.remainingOf(balance, name) === 0
      )
      const isPossible = !isSpent && fits(balance, facts.promptTokens, 16, demand)
      // If the money fits to the cent, its rounding decides.
      if (fits(balance, facts.promptTokens, 15, demand) !== fits(balance, facts.promptTokens, 17, demand)) return
      assert.strictEqual(Budget.exhaustedDimension(balance, demand) === null, isPossible)
    },
    { arbitrary: { runs: 500 } }
  )

  it("a child may start no more sessions than are left when the child is started", () => {
    const limit = (spawns: number): Budget.Balance => ({
      limit: { ...BudgetData.unlimited, spawns },
      spent: BudgetData.nothing,
      reserved: BudgetData.nothing
    })
    for (let spawns = 1; spawns <= 20; spawns++) {
      for (const share of [0.1, 0.5, 0.9, 1]) {
        const portion = Budget.childBudget(limit(spawns), "Branch", share)
        const most = typeof portion === "string" ? 0 : (portion.spawns ?? Infinity)
        // Starting the child costs one step.
        assert.isAtMost(1 + most, spawns)
        assert.strictEqual(most, Math.floor((spawns - 1) * share))
      }
    }
  })
})
