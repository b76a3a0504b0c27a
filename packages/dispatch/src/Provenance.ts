/** Where the texts of a session come from: from a user, a configuration or a search, and in which session. */
import type { Session } from "@bough/protocol"

export interface Provenance {
  /** True if the session was given the address in the form in which it would be sent. */
  readonly isGivenAddress: (url: string) => boolean
  /** True if a user named the host or approved it; a key as `HostRule.keyOf` makes it. */
  readonly isAgreedHost: (host: string) => boolean
  /** True if the text was given to the session word for word. */
  readonly isGivenText: (text: string) => boolean
  /** Names the calls that brought text with the label, for users; "" if none is known. */
  readonly sourcesOf: (label: Session.Label) => string
}

/** The provenance of a caller whose every text counts as given: a user or a program. */
export const given: Provenance = {
  isGivenAddress: () => true,
  isAgreedHost: () => true,
  isGivenText: () => true,
  sourcesOf: () => ""
}
