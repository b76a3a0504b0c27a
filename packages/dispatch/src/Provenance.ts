/** Where the texts of a session come from: from a person, a configuration or a search, and in which session. */
import type { Session } from "@bough/protocol"

export interface Provenance {
  /** True if the address, as it would be sent, was given to the session. */
  readonly isGivenAddress: (url: string) => boolean
  /** True if a person named the host or approved it; a key as `HostRule.keyOf` makes it. */
  readonly isAgreedHost: (host: string) => boolean
  /** True if the text was given to the session word for word. */
  readonly isGivenText: (text: string) => boolean
  /** Which calls brought what carries the label, for people; "" where none is known. */
  readonly sourcesOf: (label: Session.Label) => string
}

/** The provenance of a caller that was given everything: a person, a program. */
export const given: Provenance = {
  isGivenAddress: () => true,
  isAgreedHost: () => true,
  isGivenText: () => true,
  sourcesOf: () => ""
}
