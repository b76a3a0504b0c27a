/**
 * The parts of the arguments that leave with a call. A session that read private data asks a user before it contacts a
 * host that no user approved and, once it also read untrusted text, before it sends words that the model composed:
 * adr/0042-egress-of-private-sessions.md.
 */

/** Extracts the outgoing data from the arguments. Pure; other data must not be sent. */
export interface Egress<in Parameters> {
  /** The URL that the call goes to. */
  readonly address?: (parameters: Parameters) => string
  /** Every other text that the model composed and that is sent with the call. */
  readonly texts?: (parameters: Parameters) => ReadonlyArray<string>
  /**
   * The service that receives the texts if the operator chose it, such as "web searches". One approval opens it to a
   * tree, as for a host.
   */
  readonly service?: () => string
  /** The tool does not declare which of its arguments leave, so a text may be an address. */
  readonly isUndeclared?: true
}

/** A tool that sends arguments and does not declare which. */
export const everything: Egress<unknown> = {
  // A call without arguments has nothing of the model's to send.
  texts: (parameters) => [JSON.stringify(parameters)].filter((text) => text !== "{}"),
  isUndeclared: true
}
