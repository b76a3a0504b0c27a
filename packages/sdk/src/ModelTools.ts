/**
 * An opened pack for programs in which a model chooses the calls. The model's raw text passes the same stages as a
 * session's calls, and the answer is a text for the model.
 */
import { Dispatcher, Ledger, type Provenance } from "@bough/dispatch"
import type { Entry, Receipt, Session } from "@bough/protocol"
import type { Tool, ToolPack } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { programOf } from "./Open.ts"
import type { OpenOptions } from "./Options.ts"

export interface ModelCall {
  readonly toolCallId: Session.ToolCallId
  readonly name: string
  /** The arguments exactly as the model wrote them. */
  readonly arguments: string
  /** The labels of all data that the model has read. */
  readonly labels: ReadonlyArray<Session.Label>
  /** The texts and addresses that were given to the model, which it may send without approval. */
  readonly provenance: Provenance.Provenance
}

export interface CalledTool {
  readonly outcome: Entry.Outcome
  /** The receipt; null: no code of the tool ran. */
  readonly receipt: Receipt.Receipt | null
  /** The labels of the result. */
  readonly labels: ReadonlyArray<Session.Label>
  readonly elapsedMillis: number
}

export interface ModelTools {
  readonly tools: ReadonlyArray<Tool.Any>
  readonly call: (asked: ModelCall) => Effect.Effect<CalledTool>
}

/** Opens a pack for a model. Dies if the directory cannot be opened or a rule is invalid. */
export const openForModel = (
  pack: ToolPack.Any,
  options: OpenOptions
): Effect.Effect<ModelTools, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
    const { caller, ports } = yield* Scope.provide(programOf(pack, options, scope), scope)
    const call = Effect.fnUntraced(function* ({ provenance, ...asked }: ModelCall) {
      let resultLabels: ReadonlyArray<Session.Label> = []
      const services = ports(undefined)
      const ledger = Context.get(services, Ledger.Ledger)
      const listening: Ledger.Ledger["Service"] = {
        ...ledger,
        ended: (call, ended, denied) => {
          resultLabels = call.labels
          return ledger.ended(call, ended, denied)
        }
      }
      const dispatched = yield* Dispatcher.dispatch({ ...asked, prior: null }, { ...caller, provenance }).pipe(
        Effect.provideContext(Context.add(services, Ledger.Ledger, listening)),
        Effect.orDie
      )
      if (dispatched._tag === "Parked") {
        const reason = `${asked.name} waits for a decision, and a program has no later turn`
        const outcome: Entry.Outcome = { _tag: "NotRun", reason }
        return { outcome, receipt: null, labels: [], elapsedMillis: 0 } satisfies CalledTool
      }
      const { elapsedMillis, outcome, receipt } = dispatched
      return { outcome, receipt, labels: resultLabels, elapsedMillis } satisfies CalledTool
    })
    return { tools: [...caller.registry.values()], call }
  })
