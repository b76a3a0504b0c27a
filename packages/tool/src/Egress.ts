/**
 * The parts of the arguments that a call sends. A session that has read private data needs approval before it contacts
 * a host that no user approved and, once it has also read untrusted text, before it sends words that the model
 * composed: adr/0042-egress-of-private-sessions.md.
 */

/** Extracts the data that the call sends from its arguments. Pure. The call must not send other data. */
export interface Egress<in Parameters> {
  /** The URL that the call goes to. */
  readonly address?: (parameters: Parameters) => string
  /** Every other text that the model composed and that the call sends. */
  readonly texts?: (parameters: Parameters) => ReadonlyArray<string>
  /**
   * The service that receives the texts, if the operator chose it, such as "web searches". Like the approval of a host,
   * one approval is valid for the entire tree.
   */
  readonly service?: () => string
  /** True if the tool does not declare which of its arguments are sent, so that a text may be an address. */
  readonly isUndeclared?: true
}

/** The egress of a tool that sends arguments but does not declare which. */
export const everything: Egress<unknown> = {
  // A call without arguments sends no text of the model.
  texts: (parameters) => [JSON.stringify(parameters)].filter((text) => text !== "{}"),
  isUndeclared: true
}
