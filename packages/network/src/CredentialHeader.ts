/** The request headers that authenticate the sender. Pure. */

const credentialWord =
  /^(?:auth|authentication|authorization|authenticate|bearer|cookie2?|credentials?|jwt|passwd|password|secret|session|sessionid|token|[a-z]*(?:api)?key)$/u

/** Names of keys that do not authenticate the sender, such as keys of stored objects. */
const openKeys: ReadonlySet<string> = new Set(["cache-key", "idempotency-key", "partition-key", "surrogate-key"])

/** True if a header of this name authenticates the sender. */
export const isCredential = (name: string): boolean =>
  !openKeys.has(name.toLowerCase().replace(/^x-/u, "")) &&
  name
    .toLowerCase()
    .split(/[-_.]/u)
    .some((word) => credentialWord.test(word))
