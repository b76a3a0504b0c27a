/**
 * The parts of the arguments that a call sends. A session that has read private data needs approval before it contacts
 * a host that no user approved and, once it has also read untrusted text, before it sends words that the model
 * composed: adr/0042-egress-of-private-sessions.md.
 */

/** Extracts the outgoing data from the arguments. Pure; other data must not be sent. */
export interface Egress<in Parameters> {
  /** The URL that the call goes to. */
  readonly address?: (parameters: Parameters) => string
  /** Every other text that the model composed and that the call sends. */
  readonly texts?: (parameters: Parameters) => ReadonlyArray<string>
  /**
   * The service that receives the texts if the operator chose it, such as "web searches". As for a host, one approval
   * is valid for the whole tree.
   */
  readonly service?: () => string
  /** The tool does not declare which of its arguments are sent, so a text may be an address. */
  readonly isUndeclared?: true
}

/** The egress of a tool that sends arguments and does not declare which. */
export const everything: Egress<unknown> = {
  // A call without arguments sends no text of the model.
  texts: (parameters) => [JSON.stringify(parameters)].filter((text) => text !== "{}"),
  isUndeclared: true
}
