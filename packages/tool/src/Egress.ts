/**
 * What leaves with a call. A session that was told private and untrusted things asks a person before it sends out words
 * that it put together itself: adr/0017-taint.md.
 */

/** Reads what leaves off the arguments. Pure; what is not named here must not leave. */
export interface Egress<in Parameters> {
  /** The URL that the call goes to. */
  readonly address?: (parameters: Parameters) => string
  /** Every other text of the model's choice that is sent along. */
  readonly texts?: (parameters: Parameters) => ReadonlyArray<string>
}

/** A tool that sends and does not say what. */
export const everything: Egress<unknown> = { texts: (parameters) => [JSON.stringify(parameters)] }
