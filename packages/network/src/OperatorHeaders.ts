/**
 * Headers that the operator sends with requests to one host, such as a credential. Calls can neither set nor read them.
 */
import type { ListedService } from "./Guard.ts"
import * as Headers from "./Headers.ts"
import { canonicalHost, type Target } from "./Target.ts"

export interface HostHeaders {
  readonly host: string
  /** Default: 443. */
  readonly port?: number
  readonly headers: Headers.Headers
}

/**
 * Returns the operator's headers for a request to this target, over TLS, or unencrypted to a private service that the
 * operator listed.
 */
export const operatorHeaders = (
  configured: ReadonlyArray<HostHeaders>,
  listed: ReadonlyArray<ListedService>,
  { host, port, secure }: Target
): Headers.Headers => {
  const isListed = listed.some((entry) => canonicalHost(entry.host) === host && entry.port === port)
  if (!secure && !isListed) return {}
  return Object.assign(
    {},
    ...configured
      .filter((entry) => canonicalHost(entry.host) === host && (entry.port ?? 443) === port)
      .map(({ headers }) => headers)
  )
}
