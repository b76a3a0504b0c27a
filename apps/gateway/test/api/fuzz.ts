/**
 * The long form of the suite's fuzzing, by hand: prints each answer that departs from the document, and exits with 1 if
 * one does. node apps/gateway/test/api/fuzz.ts --requests 5000 --seed 7
 */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import { operations } from "./Document.ts"
import { fuzz } from "./fuzzGateway.ts"

const { values } = parseArgs({
  options: { requests: { type: "string", default: "5000" }, seed: { type: "string", default: "1" } }
})

const { departures, statuses, succeeded } = await Effect.runPromise(
  Effect.scoped(fuzz({ requests: Number(values.requests), seed: Number(values.seed) }))
)
const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
const never = operations.filter(({ operationId }) => !succeeded.has(operationId)).map(({ operationId }) => operationId)
process.stdout.write(
  `${departures.join("\n")}\n${counts.join(", ")}\nnever carried out: ${never.join(", ") || "none"}\n`
)
process.exitCode = departures.length === 0 ? 0 : 1
