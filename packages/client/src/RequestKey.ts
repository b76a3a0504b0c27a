/** Keys of requests. `crypto.randomUUID` is missing on pages of http origins other than this machine. */

/** Returns a random key for one request, the same for all of its retries. */
export const requestKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
