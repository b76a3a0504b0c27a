/** The requests and notifications that an editor sends to the agent. */
import * as SessionMode from "@bough/host/session/SessionMode"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as EditorSessions from "./EditorSessions.ts"
import * as JsonRpc from "./JsonRpc.ts"
import * as Protocol from "./Protocol.ts"

/** Modes that an editor offers; `all` leaves the sandbox, and is chosen by its name in a terminal alone. */
const offeredModes = SessionMode.modes.filter((mode) => mode !== "all")

const modesOf = (mode: SessionMode.Mode) => ({
  currentModeId: mode,
  availableModes: offeredModes.map((id) => ({ id, name: id, description: SessionMode.descriptions[id] }))
})

const read = <A>(schema: Schema.Codec<A, unknown>, params: unknown): Effect.Effect<A, JsonRpc.RpcError> =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(params), ({ message }) => JsonRpc.wrongParameters(message))

export const handlers = (options: EditorSessions.EditorSessionsOptions) => {
  const sessions = new Map<string, EditorSessions.EditorSession>()
  const find = (sessionId: string): Effect.Effect<EditorSessions.EditorSession, JsonRpc.RpcError> => {
    const opened = sessions.get(sessionId)
    return opened === undefined
      ? Effect.fail(JsonRpc.wrongParameters(`session ${sessionId} is not open here`))
      : Effect.succeed(opened)
  }
  const open = (cwd: string, sessionId: string | null) =>
    Effect.tap(Effect.mapError(EditorSessions.open(options, { cwd, sessionId }), EditorSessions.toRpcError), (opened) =>
      Effect.sync(() => sessions.set(opened.session.sessionId, opened))
    )

  const request = Effect.fnUntraced(function* (method: string, params: unknown) {
    switch (method) {
      case "initialize":
        return initializeResult(options.program.version)
      case "authenticate":
        return {}
      case "session/new": {
        const { cwd } = yield* read(Protocol.NewSession, params)
        const { mode, session } = yield* open(cwd, null)
        return { sessionId: session.sessionId, modes: modesOf(mode.now()) }
      }
      case "session/load": {
        const { cwd, sessionId } = yield* read(Protocol.LoadSession, params)
        const opened = sessions.get(sessionId) ?? (yield* open(cwd, sessionId))
        yield* Effect.mapError(EditorSessions.replay(options, opened), EditorSessions.toRpcError)
        return { modes: modesOf(opened.mode.now()) }
      }
      case "session/prompt": {
        const { prompt, sessionId } = yield* read(Protocol.Prompt, params)
        return { stopReason: yield* EditorSessions.prompt(yield* find(sessionId), prompt) }
      }
      case "session/set_mode": {
        const { modeId, sessionId } = yield* read(Protocol.SetMode, params)
        const mode = offeredModes.find((offered) => offered === modeId)
        if (mode === undefined) return yield* JsonRpc.wrongParameters(`there is no mode ${JSON.stringify(modeId)}`)
        const opened = yield* find(sessionId)
        opened.mode.set(mode)
        return {}
      }
      default:
        return yield* JsonRpc.unknownMethod(method)
    }
  })

  return {
    request,
    notification: (method: string, params: unknown): void => {
      if (method !== "session/cancel" || !Schema.is(Protocol.Cancel)(params)) return
      const opened = sessions.get(params.sessionId)
      if (opened !== undefined) EditorSessions.cancel(opened)
    }
  }
}

const initializeResult = (version: string) => ({
  protocolVersion: Protocol.version,
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false }
  },
  agentInfo: { name: "bough", title: "Bough", version },
  authMethods: []
})
