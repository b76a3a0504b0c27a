/** The sessions that an editor has open: each with its model, mode and running prompt, until the connection closes. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as ContinuedSession from "@bough/host/session/ContinuedSession"
import { registryOf, rolesOf } from "@bough/host/session/KindTools"
import * as OpenSession from "@bough/host/session/OpenSession"
import * as SessionMode from "@bough/host/session/SessionMode"
import type { SessionWithMemory } from "@bough/host/session/SessionWithMemory"
import { EntryPages, SessionStore, type Turn } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { type Failure, toCliFailure } from "../Failures.ts"
import * as TurnText from "../format/TurnText.ts"
import type { Program } from "../Program.ts"
import * as ContinuedSettings from "../session/ContinuedSettings.ts"
import * as Models from "../session/Models.ts"
import * as EditorChannel from "./EditorChannel.ts"
import * as JsonRpc from "./JsonRpc.ts"
import * as PromptInput from "./PromptInput.ts"
import type * as Protocol from "./Protocol.ts"
import * as SessionUpdates from "./SessionUpdates.ts"

export interface EditorSession {
  readonly session: SessionWithMemory
  readonly mode: SessionMode.SessionMode
  readonly updates: SessionUpdates.SessionUpdates
  /** The running prompt; null: none. */
  running: Fiber.Fiber<Turn.TurnResult, unknown> | null
}

export interface EditorSessionsOptions {
  readonly program: Program
  readonly connection: JsonRpc.Connection
  /** The values of the command line. */
  readonly overrides: Omit<SettingsFile.SettingsOverrides, "cwd">
}

/** Makes a session in a folder, or opens a stored one, until the scope closes. */
export const open = Effect.fnUntraced(function* (
  { connection, overrides, program }: EditorSessionsOptions,
  { cwd, sessionId }: { readonly cwd: string; readonly sessionId: string | null }
) {
  const root = yield* SettingsFile.workspaceRoot(program.environment, cwd)
  const { agent = null } = overrides
  const stored = yield* ContinuedSession.read({ session: sessionId, continue: false }, root, agent)
  const kept = stored === null ? {} : ContinuedSettings.toOverrides(program, stored, agent)
  const settings = yield* SettingsFile.load(program.environment, { ...overrides, ...kept, cwd }, null)
  for (const notice of settings.notices) program.output.note(notice)
  const model = yield* Models.choose(program, settings)
  const mode = SessionMode.make()
  const workspaceRoot = settings.workspace.root
  const updates = SessionUpdates.make({ roles: rolesOf(program.packs), workspaceRoot })
  const channel = EditorChannel.make({
    connection,
    updates,
    workspaceRoot,
    registry: registryOf(program.packs),
    principal: settings.environment.user ?? "editor"
  })
  const session = yield* OpenSession.open(program, settings, {
    which: { session: sessionId, continue: false },
    kind: "Main",
    model,
    channel,
    mode,
    isLeaving: program.signals.isLeaving,
    onNotice: program.output.note
  })
  const opened: EditorSession = { session, mode, updates, running: null }
  return opened
})

/** Sends the stored conversation to the editor. */
export const replay = Effect.fnUntraced(function* (
  { connection }: EditorSessionsOptions,
  { session: { sessionId }, updates }: EditorSession
) {
  const store = yield* SessionStore.SessionStore
  for (const entry of yield* EntryPages.collect(store, sessionId)) {
    for (const update of updates.ofEntry(entry)) connection.notify("session/update", { sessionId, update })
  }
})

/** Runs a prompt and returns why its turn ended. `cancel` interrupts it. */
export const prompt = Effect.fnUntraced(function* (
  opened: EditorSession,
  blocks: ReadonlyArray<Protocol.ContentBlock>
): Effect.fn.Return<Protocol.StopReason, JsonRpc.RpcError> {
  if (opened.running !== null) return yield* JsonRpc.wrongParameters("a prompt of this session is running")
  const input = PromptInput.fromBlocks(blocks)
  if (input.text === "" && input.media.length === 0) return yield* JsonRpc.wrongParameters("the prompt is empty")
  const scope = yield* Scope.make()
  const fiber = yield* Effect.forkIn(opened.session.run(input), scope)
  opened.running = fiber
  const exit = yield* Fiber.await(fiber).pipe(
    Effect.ensuring(
      Effect.suspend(() => {
        opened.running = null
        return Scope.close(scope, Exit.void)
      })
    )
  )
  if (Exit.isSuccess(exit)) return reasons[exit.value.status]
  if (Exit.hasInterrupts(exit)) return "cancelled"
  return yield* Effect.mapError(Effect.failCause(exit.cause), toRpcError)
})

export const cancel = ({ running }: EditorSession): void => running?.interruptUnsafe()

const reasons: Readonly<Record<Turn.TurnResult["status"], Protocol.StopReason>> = {
  completed: "end_turn",
  // The approvals stay pending: another terminal can decide them.
  suspended: "end_turn",
  spent: "max_tokens",
  stopped: "max_turn_requests"
}

export const toRpcError = (error: Failure | JsonRpc.RpcError): JsonRpc.RpcError =>
  error._tag === "RpcError" ? error : JsonRpc.internalError(TurnText.failure(toCliFailure(error), "bough"))
