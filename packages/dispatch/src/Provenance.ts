/** The sources of a session's texts: a user, a configuration, a search, or another session. */
import type { Session } from "@bough/protocol"

export interface Provenance {
  /** True if the session was given the address in the form in which it would be sent. */
  readonly isGivenAddress: (url: string) => boolean
  /** True if a user named or approved the host. The argument is a key from `HostRule.keyOf`. */
  readonly isAgreedHost: (host: string) => boolean
  /** True if the text was given to the session word for word. */
  readonly isGivenText: (text: string) => boolean
  /** Names the calls that brought text with the label, for users; "" if none is known. */
  readonly sourcesOf: (label: Session.Label) => string
}

/** The provenance of a caller whose texts all count as its own: a user or a program. */
export const own: Provenance = {
  isGivenAddress: () => true,
  isAgreedHost: () => true,
  isGivenText: () => true,
  sourcesOf: () => ""
}
