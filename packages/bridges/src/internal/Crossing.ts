/**
 * A call that another framework makes. It is judged first, bound to the preview that a user was shown, and ends with a
 * result or with one of the four errors.
 */
import { type AnyOpenedPack, approveShown, type CallOptions, type Judgement } from "@bough/sdk"
import { type Tool, ToolSchema } from "@bough/tool"
import { CallFailed, type CrossedResult, type CrossedUpdate, fromEnvelope } from "./CrossedResult.ts"
import * as PendingApprovals from "./PendingApprovals.ts"

export interface CrossedCall {
  readonly input: unknown
  /** The id that the framework gave the call. An approval cannot be bound to a preview without it. */
  readonly id?: string | undefined
}

export interface CrossedOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((message: string) => void) | undefined
}

/** A tool of the pack, in the form that frameworks take. */
export interface CrossedTool {
  readonly name: string
  readonly description: string
  readonly declaration: Tool.Any
  /** The JSON Schema of the arguments, draft-07. Each framework has its own type for it. */
  readonly schema: never
  /** Judges a call. `isNew`: the call is shown to a user, who has not decided yet. */
  readonly judge: (call: CrossedCall, isNew: boolean) => Promise<Judgement>
  /** Judges a call in the same way; true: it requires an approval. */
  readonly asks: (call: CrossedCall, isNew: boolean) => Promise<boolean>
  /** Returns the reason and the preview of a call for a user, or the name of the tool if no approval is required. */
  readonly approvalText: (call: CrossedCall) => Promise<string>
  /**
   * Runs a call. If the preview of the call was shown before, the framework has asked the user, and the approval covers
   * that preview. A call without a result rejects with CallFailed.
   */
  readonly run: (call: CrossedCall, options?: CrossedOptions) => Promise<CrossedResult>
  /** Runs a call in the same way, and returns CallFailed as a value. */
  readonly runSafely: (call: CrossedCall, options?: CrossedOptions) => Promise<CrossedResult | CallFailed>
  /** Runs a call in the same way; progress and the result are updates. */
  readonly runInParts: (
    call: CrossedCall,
    onUpdate: (update: CrossedUpdate) => void,
    signal?: AbortSignal
  ) => Promise<CrossedUpdate>
}

export interface CrossedTools extends PendingApprovals.WithApprovals {
  readonly tools: ReadonlyArray<CrossedTool>
}

export const make = (opened: AnyOpenedPack): CrossedTools => {
  // A program without types may pass any value.
  const candidate = opened as Partial<AnyOpenedPack> | null | undefined
  if (!Array.isArray(candidate?.tools) || typeof candidate.call !== "function") {
    throw new TypeError(
      'a bridge takes a pack that is open: pass the result of open(pack, { root: "." }) of @bough/sdk'
    )
  }
  const pending = PendingApprovals.make()
  return { tools: opened.tools.map((tool) => toolOf(opened, tool, pending)), shown: pending.shown }
}

/** Makes a record of something for each tool, by the tool's name. */
export const byName = <A>({ tools }: CrossedTools, make: (tool: CrossedTool) => A): Record<string, A> =>
  Object.fromEntries(tools.map((tool) => [tool.name, make(tool)]))

const toolOf = (opened: AnyOpenedPack, tool: Tool.Any, pending: PendingApprovals.PendingApprovals): CrossedTool => {
  const { description, name } = tool
  const judge: CrossedTool["judge"] = ({ id, input }, isNew) =>
    opened.judge(name, input).then((judgement) => {
      if (judgement.decision === "ask" && isNew && id !== undefined) pending.add(id, judgement)
      return judgement
    })
  const run: CrossedTool["run"] = ({ id, input }, { onProgress, signal } = {}) => {
    const approved = id === undefined ? undefined : pending.take(id)
    const options: CallOptions = {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(approved === undefined ? {} : { approve: approveShown(approved.digest) })
    }
    return opened.call(name, input, options).then((envelope) => fromEnvelope(tool, envelope))
  }
  return {
    name,
    description,
    declaration: tool,
    schema: ToolSchema.parameters(tool, "draft-07") as never,
    judge,
    asks: (call, isNew) => judge(call, isNew).then(({ decision }) => decision === "ask"),
    approvalText: ({ id, input }) =>
      Promise.resolve((id === undefined ? undefined : pending.shown(id)) ?? judge({ input }, false)).then((judgement) =>
        judgement.decision === "ask" ? PendingApprovals.textOf(judgement) : name
      ),
    run,
    runSafely: (call, options) =>
      run(call, options).catch((error: unknown) => {
        if (error instanceof CallFailed) return error
        throw error
      }),
    runInParts: (call, onUpdate, signal) =>
      run(call, { signal, onProgress: (progress) => onUpdate({ status: "running", progress }) }).then((result) => ({
        status: "success",
        ...result
      }))
  }
}
