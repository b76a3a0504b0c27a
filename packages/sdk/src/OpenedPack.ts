/** An opened pack in a program: a typed async function for each tool, and generic methods for tools chosen by name. */
import type { Envelope, Tier, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import type { Approve } from "./Options.ts"

/**
 * The result of a call in the wire form, with the output in the types of its schema. Errors are not thrown: a failed
 * call is an envelope too.
 */
export type EnvelopeOf<Output> =
  | {
      readonly status: "success"
      readonly toolCallId: string
      readonly result: Omit<Success["result"], "output"> & {
        readonly output: Output
        /** The text of the output for a model: redacted, and truncated to the tool's limit. */
        readonly text: string
      }
      readonly executionTimeMillis: number
    }
  | Exclude<Envelope.Envelope, Success>

type Success = Extract<Envelope.Envelope, { readonly status: "success" }>

export interface CallOptions {
  /** Interrupts the call: its promise is then rejected. */
  readonly signal?: AbortSignal
  /** The user of this call; default: the `user` of `open`. */
  readonly user?: string
  /** Decides the approvals of this call; default: the `approve` of `open`. */
  readonly approve?: Approve
  /** Called with each line of progress while the tool runs. `percent`, if it is known, is from 0 to 100. */
  readonly onProgress?: (message: string, percent?: number) => void
}

/**
 * The predicted decision on a call. `deny` has the `error` if the call does not reach a decision, for example for
 * wrong arguments.
 */
export type Judgement =
  | { readonly decision: "allow"; readonly tier: Tier.Tier }
  | {
      readonly decision: "ask"
      readonly tier: Tier.Tier
      readonly reason: string
      /** The effect of the call, in plain text for the user. */
      readonly preview: string
      /**
       * The digest of everything that an approval covers: tool, tier, arguments, preview, and the facts that the
       * preview depends on.
       */
      readonly digest: string
    }
  | { readonly decision: "deny"; readonly reason: string; readonly error?: ToolError.ToolErrorData }

/**
 * Arguments in the schema's encoded form. Fields with defaults are optional, and the argument itself is optional if no
 * field is required.
 */
type Call<Arguments, Output> = {} extends Arguments
  ? (args?: Arguments, options?: CallOptions) => Promise<EnvelopeOf<Output>>
  : (args: Arguments, options?: CallOptions) => Promise<EnvelopeOf<Output>>

type ArgumentsOf<T> = T extends Tool.Tool<infer _Name, infer P, infer _O, infer _R> ? P["Encoded"] : never
type OutputOf<T> = T extends Tool.Tool<infer _Name, infer _P, infer O, infer _R> ? O["Type"] : never

export type Calls<Tools> = {
  readonly [Name in keyof Tools]: Call<ArgumentsOf<Tools[Name]>, OutputOf<Tools[Name]>>
}

/** Calls a tool by its name, for programs that know the name only at run time. */
export interface ByName<Tools> {
  readonly call: <Name extends keyof Tools & string>(
    name: Name,
    args: ArgumentsOf<Tools[Name]>,
    options?: CallOptions
  ) => Promise<EnvelopeOf<OutputOf<Tools[Name]>>>
  /**
   * Predicts whether a call would run, and why. It neither runs nor records the call and requests no approval, but the
   * tool's `classify` and `preview` read the current state.
   */
  readonly judge: <Name extends keyof Tools & string>(
    name: Name,
    args: ArgumentsOf<Tools[Name]>,
    options?: Pick<CallOptions, "signal" | "user">
  ) => Promise<Judgement>
}

/** The declarations of an opened pack, such as for the formats of @bough/tool-formats. */
export interface PackDeclarations {
  readonly tools: ReadonlyArray<Tool.Any>
}

/** An opened pack of unknown tools. Its members are methods, so that every typed pack is assignable to it. */
export interface AnyOpenedPack extends PackDeclarations {
  call(name: string, args?: unknown, options?: CallOptions): Promise<EnvelopeOf<unknown>>
  judge(name: string, args?: unknown, options?: Pick<CallOptions, "signal" | "user">): Promise<Judgement>
}

/** Disposing of the pack interrupts running calls, and waits until they have released their resources. */
export type OpenedPack<Tools> = Calls<Tools> & ByName<Tools> & PackDeclarations & AsyncDisposable
