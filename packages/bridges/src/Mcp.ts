/** Tools of an opened pack for clients of the Model Context Protocol, with approvals by elicitation. */
import type { ServerOffer, OfferedCall, OfferedResult } from "@bough/mcp/server"
import type { AnyOpenedPack } from "@bough/sdk"
import { McpTool } from "@bough/tool-formats"
import * as Effect from "effect/Effect"
import { CallFailed, type CrossedResult } from "./internal/CrossedResult.ts"
import * as Crossing from "./internal/Crossing.ts"
import * as PendingApprovals from "./internal/PendingApprovals.ts"

export { serveHttp, serveStdio } from "@bough/mcp/server"

export interface McpOptions {
  readonly name: string
  readonly version: string
  readonly instructions?: string
}

/**
 * Converts an opened pack to the offer that `serveStdio` and `serveHttp` serve. If a client cannot ask its user,
 * `approve` of `open` decides.
 */
export const toMcp = (opened: AnyOpenedPack, options: McpOptions): ServerOffer => {
  const candidate = options as Partial<McpOptions> | null | undefined
  if (typeof candidate?.name !== "string" || typeof candidate.version !== "string") {
    throw new TypeError('toMcp: the options need a name and a version, as in { name: "files", version: "1.0.0" }')
  }
  const declared = Crossing.byName(Crossing.make(opened), (tool) => tool)
  let calls = 0
  const call = Effect.fnUntraced(function* ({ arguments: input, ask, onProgress, tool: name }: OfferedCall) {
    const tool = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (tool === undefined) return failure(`unknown tool ${JSON.stringify(name)}`)
    const crossed = { input, id: `call-${(calls += 1)}` }
    if (ask !== null) {
      const judgement = yield* Effect.promise(() => tool.judge(crossed, true))
      const decision = judgement.decision === "ask" ? yield* ask(PendingApprovals.textOf(judgement)) : "approved"
      if (decision !== "approved") return failure(`${name} was not run: it was not approved (${decision})`)
    }
    const result = yield* Effect.promise((signal) => tool.runSafely(crossed, { signal, onProgress }))
    return result instanceof CallFailed ? failure(result.message) : toResult(result)
  })
  return { ...options, tools: opened.tools.map(McpTool.declaration), call }
}

const failure = (text: string): OfferedResult => ({ isError: true, text, structured: null, media: [] })

const toResult = ({ media, output, text }: CrossedResult): OfferedResult => {
  const isObject = output !== null && typeof output === "object" && !Array.isArray(output)
  return { isError: false, text, structured: isObject ? (output as Readonly<Record<string, unknown>>) : null, media }
}
