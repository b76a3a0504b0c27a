/**
 * Token counts that an earlier program stored as a provider had reported them: negative, fractional, or too large for a
 * number. They are read as unknown, so that the session opens. The stored row and its digest stay unchanged.
 */
import { ReportedUsage } from "@bough/runtime"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

/** Returns the body itself if it can be read unchanged. */
export const readable = (body: unknown): unknown => {
  if (!isFields(body)) return body
  switch (body["_tag"]) {
    case "ModelReplied":
    case "SamplingEnded":
      return withCounts(body, "usage")
    case "StepStarted":
      return zeroInvalidCounts(body, ["reservedTokens"])
    case "ChildEnded":
    case "SessionEnded": {
      const { result } = body
      const read = isFields(result) ? withCounts(result, "usage") : result
      return read === result ? body : { ...body, result: read }
    }
    default:
      return body
  }
}

const withCounts = (fields: Fields, name: string): Fields => {
  const usage = fields[name]
  if (!isFields(usage)) return fields
  const read = withCost(
    zeroInvalidCounts(
      usage,
      Object.keys(usage).filter((key) => key !== "costUsd")
    )
  )
  return read === usage ? fields : { ...fields, [name]: read }
}

const zeroInvalidCounts = (fields: Fields, names: ReadonlyArray<string>): Fields => {
  const odd = names.filter((name) => ReportedUsage.tokens(fields[name]) === null)
  return odd.length === 0 ? fields : { ...fields, ...Object.fromEntries(odd.map((name) => [name, 0])) }
}

const withCost = (fields: Fields): Fields => {
  const { costUsd } = fields
  return costUsd === null || Number.isFinite(costUsd) ? fields : { ...fields, costUsd: null }
}
