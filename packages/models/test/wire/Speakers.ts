/**
 * Every client of a dialect over the network: each provider of ours, and effect/ai's own packages through their bridge.
 */
import * as Effect from "effect/Effect"
import { plainManners } from "../../src/AiSdkBridge.ts"
import * as EffectAiBridge from "../../src/EffectAiBridge.ts"
import * as Packages from "../effectAi/Packages.ts"
import type { Dialect } from "./Dialect.ts"
import { dialects } from "./Dialects.ts"
import * as Wire from "./Wire.ts"

export interface Speaker {
  readonly dialect: Dialect
  readonly modelAt: Wire.ModelAt
}

type Row = readonly [name: string, speaker: Speaker]

/** The rows of test tables: kind and name first. */
export const providers: ReadonlyArray<Row> = dialects.map((dialect) => [
  `provider ${dialect.provider.name}`,
  { dialect, modelAt: (origin) => Wire.modelAt(dialect, origin) }
])

/** The packages' error messages have less detail than those of our providers. */
const packages: ReadonlyArray<Row> = Packages.each.map(([name, { dialect, keyName, model }]) => [
  `package ${name}`,
  {
    dialect,
    modelAt: Effect.fnUntraced(function* (origin) {
      const context = yield* Effect.context()
      return EffectAiBridge.make({
        model: yield* model(origin, null),
        limited: (maxOutputTokens) => Effect.runSyncWith(context)(model(origin, maxOutputTokens)),
        provider: {
          model: dialect.model,
          baseUrl: origin,
          keyName,
          baseUrlName: keyName.replace("KEY", "BASE_URL"),
          secrets: [Wire.key]
        },
        contextTokens: null,
        price: Wire.price,
        manners: plainManners
      })
    })
  }
])

export const all: ReadonlyArray<Row> = [...providers, ...packages]
