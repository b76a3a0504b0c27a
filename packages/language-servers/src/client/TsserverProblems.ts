/**
 * The problems of a file from servers that forward requests to tsserver. Without a request, such servers report in
 * parts, and do not report at all if a change causes no problem, so waiting for a report could time out.
 */
import type { CodeIntelligence } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Replies from "./Replies.ts"
import type { Rpc } from "./Rpc.ts"

/** The command of the protocol that forwards a request to tsserver. Servers that support the command list it. */
export const command = "typescript.tsserverRequest"

const requests = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"]

const Index = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 }))
const Position = Schema.Struct({ line: Index, offset: Index })
const decode = Schema.decodeUnknownOption(Schema.Struct({ body: Schema.optionalKey(Schema.Array(Schema.Unknown)) }))
const decodeProblem = Schema.decodeUnknownOption(
  Schema.Struct({ start: Position, end: Position, text: Schema.String, category: Schema.String, code: Schema.Int })
)

const severities: ReadonlyArray<string> = ["error", "warning", "message", "suggestion"]

/** Returns the problems; null: the server did not answer as tsserver does. */
export const read = Effect.fnUntraced(function* (rpc: Pick<Rpc, "request">, file: string) {
  const found: Array<unknown> = []
  for (const request of requests) {
    const reply = Option.getOrNull(
      decode(yield* rpc.request("workspace/executeCommand", { command, arguments: [request, { file }] }))
    )
    if (reply === null) return null
    found.push(...(reply.body ?? []).map(asDiagnostic))
  }
  const problems: ReadonlyArray<CodeIntelligence.Problem> = Replies.problems(found)
  return problems
})

const asDiagnostic = (item: unknown): unknown => {
  const problem = Option.getOrNull(decodeProblem(item))
  if (problem === null) return null
  const { category, code, end, start, text } = problem
  return {
    range: {
      start: { line: start.line - 1, character: start.offset - 1 },
      end: { line: end.line - 1, character: end.offset - 1 }
    },
    severity: severities.indexOf(category) + 1 || 1,
    code,
    source: "typescript",
    message: text
  }
}
