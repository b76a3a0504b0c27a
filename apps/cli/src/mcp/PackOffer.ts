/**
 * Offers the tools of the packs, and the whole agent as one tool, to a client of the Model Context Protocol. The calls
 * of a connection belong to one session, with the same dispatcher, rules, approvals, journal and receipts.
 */
import { type Call, Envelope } from "@bough/dispatch"
import type { Stores } from "@bough/host/AgentHost"
import type { Settings } from "@bough/host/config/Settings"
import * as KindTools from "@bough/host/session/KindTools"
import * as OpenSession from "@bough/host/session/OpenSession"
import type { ServerOffer, OfferedCall, OfferedResult } from "@bough/mcp/server"
import * as AgentTool from "@bough/mcp/server/AgentTool"
import { ToolError } from "@bough/protocol"
import { BlobStore } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import { McpTool } from "@bough/tool-formats"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Program } from "../Program.ts"
import * as Models from "../session/Models.ts"
import * as ClientChannel from "./ClientChannel.ts"

/** The packs of the tools of a Main, by name. */
export const packNames = ({ packs }: Program): ReadonlyArray<string> => [
  ...new Set(Object.values(KindTools.toolsOf(packs, "Main").pack.packNames))
]

const offeredTools = ({ packs }: Program, wanted: ReadonlyArray<string>): ReadonlyArray<Tool.Any> => {
  const { pack } = KindTools.toolsOf(packs, "Main")
  return Object.values<Tool.Any>(pack.tools).filter(
    ({ name }) => wanted.length === 0 || wanted.includes(pack.packNames[name] ?? "")
  )
}

const agentTool = AgentTool.declaration({
  agent: "a whole agent that works in this folder with its own tools"
})

export interface OfferOptions {
  readonly settings: Settings
  /** Names of packs; empty: all. */
  readonly packs: ReadonlyArray<string>
  readonly offersAgent: boolean
}

/** Makes the offers of connections; everything that they open is closed with the scope. */
export const make = Effect.fnUntraced(function* (program: Program, options: OfferOptions) {
  const context = yield* Effect.context<Stores | Scope.Scope>()
  const tools = offeredTools(program, options.packs)
  const declarations = [...tools.map(McpTool.declaration), ...(options.offersAgent ? [agentTool] : [])]
  return (): ServerOffer => {
    const connection: Connection = { program, options, context, running: new Set(), opened: null }
    return {
      name: program.name,
      version: program.version,
      tools: declarations,
      call: (call) =>
        Effect.acquireUseRelease(
          Effect.sync(() => connection.running.add(call)),
          () =>
            call.tool === agentTool.name && options.offersAgent
              ? runAgent(connection, call)
              : callTool(connection, call),
          () => Effect.sync(() => connection.running.delete(call))
        ).pipe(
          Effect.provideContext(context),
          Effect.catch((error: unknown) =>
            Effect.succeed(failure(error instanceof Error ? error.message : String(error)))
          )
        )
    }
  }
})

interface Connection {
  readonly program: Program
  readonly options: OfferOptions
  readonly context: Context.Context<Stores | Scope.Scope>
  readonly running: ClientChannel.RunningCalls
  /** The session of its calls; null: it is not opened yet. */
  opened: ReturnType<typeof openSession> | null
}

const failure = (text: string): OfferedResult => ({ isError: true, text, structured: null, media: [] })

/** Opens the session with the first call: before it the client has not declared its capabilities. */
const openSession = ({ options, program, running }: Connection, canAsk: boolean) =>
  Effect.flatMap(
    program.adapters.model({ ...options.settings, model: { ...options.settings.model, name: "offline/planner" } }),
    ({ model }) =>
      OpenSession.open(program, options.settings, {
        which: { session: null, continue: false },
        kind: "Main",
        model,
        channel: ClientChannel.make(running, canAsk),
        isLeaving: program.signals.isLeaving,
        onNotice: program.output.note
      })
  )

const callTool = Effect.fnUntraced(function* (connection: Connection, call: OfferedCall) {
  connection.opened ??= yield* Effect.cached(openSession(connection, call.ask !== null))
  const session = yield* connection.opened
  const called = yield* session.call(call.tool, JSON.stringify(call.arguments), "program")
  if (called._tag === "Parked") return failure(notRunText(connection.program, call))
  const envelope = Envelope.toEnvelope(called.toolCallId, called, yield* wholeOutput(called))
  switch (envelope.status) {
    case "success":
      return toResult(called, envelope.result.output)
    case "error":
      return failure(ToolError.describe(envelope.error))
    case "rejected":
      return failure(`${call.tool} was not run: ${envelope.reason}`)
  }
})

const notRunText = ({ name }: Program, { tool }: OfferedCall): string =>
  `${tool} needs an approval and was not run: this client cannot ask its user (it does not support elicitation). ` +
  `Allow such calls in advance: ${name} mcp serve --allow '${tool} …', or a rule in the configuration; "${name} policy test" suggests one`

const toResult = (called: Call.DispatchResult, output: unknown): OfferedResult => {
  const { media = [], text } = called._tag === "Ended" && called.outcome._tag === "Succeeded" ? called.outcome : {}
  const isObject = output !== null && typeof output === "object" && !Array.isArray(output)
  return {
    isError: false,
    text: text ?? (typeof output === "string" ? output : JSON.stringify(output)),
    structured: isObject ? (output as Readonly<Record<string, unknown>>) : null,
    media
  }
}

/** The truncated output that a model would read; undefined: it was not truncated. */
const wholeOutput = Effect.fnUntraced(function* (called: Call.DispatchResult) {
  if (called._tag === "Parked" || called.outcome._tag !== "Succeeded" || called.outcome.outputBlob === null) return
  const bytes = yield* (yield* BlobStore.BlobStore).get(called.outcome.outputBlob)
  return bytes === null ? undefined : new TextDecoder().decode(bytes)
})

/** Runs the agent in a new session, whose approvals this call asks the client for. */
const runAgent = Effect.fnUntraced(function* ({ options, program }: Connection, call: OfferedCall) {
  const { prompt, session = null } = call.arguments
  if (typeof prompt !== "string" || prompt.trim() === "") return failure("prompt is missing or empty")
  if (session !== null && typeof session !== "string") return failure("session must be the id of a session")
  const model = yield* Models.choose(program, options.settings)
  const opened = yield* OpenSession.open(program, options.settings, {
    which: { session, continue: false },
    kind: "Main",
    model,
    channel: ClientChannel.make(new Set([call]), call.ask !== null),
    isLeaving: program.signals.isLeaving,
    onNotice: program.output.note
  })
  const { reason, status, text } = yield* opened.run({ text: prompt, media: [] })
  const isError = status !== "completed"
  const resultText = text === "" ? reason : text
  return {
    isError,
    text: isError ? `${status}: ${resultText}` : resultText,
    structured: isError ? null : { sessionId: opened.sessionId, status, text },
    media: []
  }
}, Effect.scoped)
