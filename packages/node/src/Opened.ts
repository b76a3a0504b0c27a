/** What an opened pack looks like to a program: a typed async function for each tool. */
import type { Envelope } from "@bough/protocol"
import type { Tool } from "@bough/tool"

/** A call's end, as on the wire, with the output typed. It is not thrown: a failed call is an envelope too. */
export type EnvelopeOf<Output> =
  | {
      readonly status: "success"
      readonly toolCallId: string
      readonly result: Omit<Success["result"], "output"> & { readonly output: Output }
      readonly executionTimeMillis: number
    }
  | Exclude<Envelope.Envelope, Success>

type Success = Extract<Envelope.Envelope, { readonly status: "success" }>

/** `signal` interrupts the call: its promise is then rejected. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** Arguments as JSON has them: what has a default may be left out, and all of them where nothing is needed. */
type Call<Arguments, Output> = {} extends Arguments
  ? (given?: Arguments, options?: CallOptions) => Promise<EnvelopeOf<Output>>
  : (given: Arguments, options?: CallOptions) => Promise<EnvelopeOf<Output>>

export type Calls<Tools> = {
  readonly [Name in keyof Tools]: Tools[Name] extends Tool.Tool<infer _Name, infer P, infer O, infer _R>
    ? Call<P["Encoded"], O["Encoded"]>
    : never
}

/** Disposing of it interrupts calls that still run, and waits for what they release. */
export type Opened<Tools> = Calls<Tools> & AsyncDisposable
