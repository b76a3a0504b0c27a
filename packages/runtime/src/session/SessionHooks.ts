/** Runs the hooks of a session and records their additions: context for the model, and notices for the user. */
import { CallHooks } from "@bough/dispatch"
import { Canonical, type Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ContextSource from "../journal/ContextSource.ts"
import type { ScreenedMessage, SessionInbox } from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import type { Channel } from "../ports/Channel.ts"
import { type HookAnswer, type HookedSession, type Hooks, readAnswer } from "../ports/Hooks.ts"

export interface SessionHooksParts {
  readonly hooks: Hooks
  readonly journal: Journal["Service"]
  readonly channel: Channel["Service"]
  readonly redact: (text: string) => string
}

const at = ({ journal }: SessionHooksParts): HookedSession => ({
  sessionId: journal.sessionId,
  turn: journal.state.turn
})

const bodyOf = ({ redact }: SessionHooksParts, { hook, text }: HookAnswer["context"][number]): Entry.Body => {
  const source = ContextSource.hook
  const sentence = redact(`${hook}: ${text}`)
  return { _tag: "ContextAdded", source, text: sentence, digest: Canonical.digestOf({ source, text: sentence }) }
}

const notice = ({ channel, journal }: SessionHooksParts, message: string): Effect.Effect<void> =>
  channel.publish({ _tag: "Notice", sessionId: journal.sessionId, message })

const showProblems = (parts: SessionHooksParts, { problems }: HookAnswer): Effect.Effect<void> =>
  Effect.forEach(problems, (message) => notice(parts, message), { discard: true })

const empty: HookAnswer = { objection: null, context: [], labels: [], problems: [] }

type PendingAnswer = Effect.Effect<HookAnswer> | null

/**
 * Asks the hooks of an event and reads their answer, or fails with a defect; null if no hook is configured for the
 * event.
 */
const ask = (hooks: () => PendingAnswer): Effect.Effect<HookAnswer | null> =>
  Effect.suspend(() => {
    const answer = hooks()
    return answer === null ? Effect.succeed(null) : Effect.map(answer, readAnswer)
  })

const askOr = (hooks: () => PendingAnswer, onDefect: (objection: CallHooks.Objection) => HookAnswer) =>
  Effect.catchDefect(ask(hooks), (defect) => Effect.succeed(onDefect(CallHooks.toObjection(defect))))

/** The hooks at the end of a turn cannot forbid anything, so the turn ends without them. */
const objectionAnswer = (objection: CallHooks.Objection): HookAnswer => ({ ...empty, objection })

/** Ignores a failed write: the next entry will also fail, and end the session. */
const asProblem = ({ reason }: CallHooks.Objection): HookAnswer => ({ ...empty, problems: [`at its end ${reason}`] })

/** Ignores a failed write: the next entry will fail too, and end the session. */
const record = (parts: SessionHooksParts, answer: HookAnswer): Effect.Effect<void> => {
  const { context, labels } = answer
  const added = parts.journal.append({ bodies: context.map((one) => bodyOf(parts, one)), labels })
  return Effect.andThen(showProblems(parts, answer), context.length === 0 ? Effect.void : Effect.ignore(added))
}

/** The hooks around calls. */
export const forCalls = (parts: SessionHooksParts): CallHooks.CallHooks => ({
  before: (call) =>
    Effect.flatMap(
      ask(() => parts.hooks.beforeTool(at(parts), call)),
      (answer) => (answer === null ? Effect.succeed(null) : Effect.as(record(parts, answer), answer.objection))
    ),
  after: (call, result) =>
    Effect.flatMap(
      ask(() => parts.hooks.afterTool(at(parts), call, result)),
      (answer) => (answer === null ? Effect.void : record(parts, answer))
    )
})

/** Screens the messages of users; the first one also runs the hook for the start of the session. */
export const screenMessages =
  (parts: SessionHooksParts): NonNullable<SessionInbox["screen"]> =>
  (text) =>
    Effect.gen(function* () {
      const { hooks, journal } = parts
      const events = [
        ...(journal.state.turn === 0 ? [() => hooks.sessionStart(at(parts))] : []),
        () => hooks.prompt(at(parts), text)
      ]
      const all = yield* Effect.forEach(events, (one) => askOr(one, objectionAnswer))
      const answers = all.filter((answer) => answer !== null)
      for (const answer of answers) yield* showProblems(parts, answer)
      const denied = answers.find(({ objection }) => objection !== null)?.objection ?? null
      if (denied !== null) yield* notice(parts, `message rejected: ${denied.reason}`)
      return {
        refusal: denied?.reason ?? null,
        bodies: answers.flatMap(({ context }) => context.map((one) => bodyOf(parts, one))),
        labels: answers.flatMap(({ labels }) => labels)
      } satisfies ScreenedMessage
    })

/** Returns the task that a hook still requires at the end of a turn; null: the model may stop. */
export const beforeStop = (parts: SessionHooksParts): Effect.Effect<string | null> =>
  Effect.flatMap(
    askOr(() => parts.hooks.stop(at(parts), parts.journal.state.lastText), asProblem),
    (answer) =>
      answer === null ? Effect.succeed(null) : Effect.as(record(parts, answer), answer.objection?.reason ?? null)
  )
