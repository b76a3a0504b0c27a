/** The calls that users were shown and have not decided yet, by the ids that a framework gives them. */
import type { Judgement } from "@bough/sdk"

/** The judgement that a user is shown. An approval covers only this judgement. */
export type PendingApproval = Extract<Judgement, { readonly decision: "ask" }>

/** The function that every bridge returns in addition to its tools. */
export interface WithApprovals {
  /** Returns the judgement to show to the user, by the framework's id of the call; undefined: none is pending. */
  readonly shown: (toolCallId: string) => PendingApproval | undefined
}

/** The maximum number of undecided calls; beyond it, the oldest calls are removed. */
const maxPending = 1_000

export interface PendingApprovals extends WithApprovals {
  /**
   * Remembers a judgement. A second one for the same id is ignored: a framework judges an approved call again before it
   * runs the call, and the user approved the first preview.
   */
  readonly add: (id: string, judgement: PendingApproval) => void
  /** Removes and returns the judgement, because an approval covers one call. */
  readonly take: (id: string) => PendingApproval | undefined
}

export const make = (): PendingApprovals => {
  const pending = new Map<string, PendingApproval>()
  return {
    shown: (id) => pending.get(id),
    add: (id, judgement) => {
      if (pending.has(id)) return
      pending.set(id, judgement)
      for (const oldest of pending.keys()) {
        if (pending.size <= maxPending) break
        pending.delete(oldest)
      }
    },
    take: (id) => {
      const judgement = pending.get(id)
      pending.delete(id)
      return judgement
    }
  }
}

/** Returns the reason and the preview for a user. */
export const textOf = ({ preview, reason }: Pick<PendingApproval, "preview" | "reason">): string =>
  `${reason}\n${preview}`

/** A message of a framework whose parts name the calls that the model requested. */
interface FrameworkMessage {
  readonly role: string
  readonly content:
    | string
    | ReadonlyArray<{ readonly type: string; readonly id?: string; readonly toolCallId?: string }>
}

/** True if the messages do not contain the call: it is new. When an approved call is resumed, they contain it. */
export const isNewIn = (messages: ReadonlyArray<FrameworkMessage>, id: string): boolean =>
  !messages.some(
    ({ content, role }) =>
      role === "assistant" &&
      typeof content !== "string" &&
      content.some((part) => part.type === "tool-call" && (part.toolCallId ?? part.id) === id)
  )
