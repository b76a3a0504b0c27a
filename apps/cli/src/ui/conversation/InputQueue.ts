/**
 * The input that waits until the running work has ended. It is kept in the session's file until a turn has recorded it,
 * or until the user sends something else after it has returned to the editor.
 */
import { SystemError } from "@bough/disk"
import * as Result from "effect/Result"
import * as QueueFile from "./QueueFile.ts"
import type { UserInput } from "./UserInput.ts"

export interface InputQueue {
  /** The waiting input, oldest first. */
  readonly waiting: () => ReadonlyArray<UserInput>
  readonly add: (input: UserInput) => void
  readonly addFirst: (input: UserInput) => void
  /** Takes the oldest input, or the request to quit; null: nothing is queued. The input stays in the file until `settle`. */
  readonly take: () => UserInput | null
  /** The input that was taken last is recorded or carried out. */
  readonly settle: () => void
  /** Moves waiting input to the user, who has it in the editor or was shown it. */
  readonly giveBack: (inputs: ReadonlyArray<UserInput>) => void
  /** The user has sent something: input that was given back is the user's again. */
  readonly forgetGivenBack: () => void
  /** Keeps the queue in the file of this session from now on, and returns the input that an earlier process left there. */
  readonly open: (sessionId: string) => ReadonlyArray<UserInput>
}

export interface InputQueueOptions {
  /** Null: the queue is not kept, as for a script, whose input can be sent again. */
  readonly dataDirectory: string | null
  /** Receives the reason why the queue cannot be kept, once. */
  readonly report: (sentence: string) => void
}

export const make = ({ dataDirectory, report }: InputQueueOptions): InputQueue => {
  let waiting: ReadonlyArray<UserInput> = []
  let inEditor: ReadonlyArray<UserInput> = []
  let taken: UserInput | null = null
  let sessionId: string | null = null
  let isReported = false

  const write = (directory: string, session: string, inputs: ReadonlyArray<UserInput>): void => {
    const written = Result.try(() => QueueFile.write(directory, session, inputs))
    if (Result.isSuccess(written) || isReported) return
    isReported = true
    report(`queued messages are not kept if this process is killed: ${SystemError.reason(written.failure)}`)
  }
  const save = (): void => {
    if (dataDirectory === null || sessionId === null) return
    write(dataDirectory, sessionId, [...inEditor, ...(taken === null ? [] : [taken]), ...waiting])
  }

  return {
    waiting: () => waiting,
    add: (input) => {
      waiting = [...waiting, input]
      save()
    },
    addFirst: (input) => {
      waiting = [input, ...waiting]
      save()
    },
    take: () => {
      const next = waiting.find(({ _tag }) => _tag === "Quit") ?? waiting[0] ?? null
      if (next === null || next._tag === "Quit") return next
      waiting = waiting.slice(1)
      taken = next
      return next
    },
    settle: () => {
      if (taken === null) return
      taken = null
      save()
    },
    giveBack: (inputs) => {
      waiting = waiting.filter((input) => !inputs.includes(input))
      inEditor = [...inEditor, ...inputs]
    },
    forgetGivenBack: () => {
      if (inEditor.length === 0) return
      inEditor = []
      save()
    },
    open: (next) => {
      if (dataDirectory === null || sessionId === next) return []
      if (sessionId !== null) write(dataDirectory, sessionId, [])
      sessionId = next
      const left = QueueFile.read(dataDirectory, next)
      waiting = [...left, ...waiting]
      save()
      return left
    }
  }
}
