/**
 * The host that a TLS client names in its first message (RFC 8446, RFC 6066). Many hosts may share one address: a
 * tunnel that was allowed for one host leads to another if the client names the other host here.
 */

/** `Partial`: more bytes are needed. `Other`: not TLS. `encrypted`: the real name is hidden (RFC 9849). */
export type ParsedHello =
  | { readonly _tag: "Partial" }
  | { readonly _tag: "Other" }
  | { readonly _tag: "Hello"; readonly name: string | null; readonly encrypted: boolean }

const partial: ParsedHello = { _tag: "Partial" }
const other: ParsedHello = { _tag: "Other" }

const handshake = 22
const clientHello = 1
const serverName = 0
const encryptedHello = 0xfe0d

/** The maximum number of bytes, which is more than any client sends before the server answers. */
export const maxBytes = 65_536

/** Parses the first bytes of a client. */
export const read = (bytes: Uint8Array): ParsedHello => {
  const message = handshakeOf(bytes)
  if (message === null || message === "other") return message === null ? partial : other
  const body = new Cursor(message, 4)
  // Skips version and random; the session, the cipher suites and the compression methods follow.
  body.skip(34)
  body.take(body.number(1))
  body.take(body.number(2))
  body.take(body.number(1))
  const extensions = new Cursor(body.take(body.atEnd ? 0 : body.number(2)), 0)
  let name: string | null = null
  let encrypted = false
  while (!extensions.atEnd && !extensions.isBroken) {
    const type = extensions.number(2)
    const content = extensions.take(extensions.number(2))
    if (type === encryptedHello) encrypted = true
    if (type === serverName) {
      const names = new Cursor(content, 3)
      const found = new TextDecoder("latin1").decode(names.take(names.number(2)))
      if (names.isBroken || name !== null) return other
      name = found
    }
  }
  return body.isBroken || extensions.isBroken ? other : { _tag: "Hello", name, encrypted }
}

/** Assembles the first handshake message from its records; null: more bytes are needed. */
const handshakeOf = (bytes: Uint8Array): Uint8Array | "other" | null => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  for (let at = 0; ;) {
    if (at < bytes.length && bytes[at] !== handshake) return "other"
    if (bytes.length - at < 5) return null
    if (bytes[at + 1] !== 3) return "other"
    const size = (bytes[at + 3] << 8) | bytes[at + 4]
    const piece = bytes.subarray(at + 5, at + 5 + size)
    pieces.push(piece)
    length += piece.length
    const message = pieces.length === 1 ? piece : Buffer.concat(pieces)
    if (message.length > 0 && message[0] !== clientHello) return "other"
    if (length >= 4) {
      const messageLength = 4 + ((message[1] << 16) | (message[2] << 8) | message[3])
      if (messageLength > maxBytes) return "other"
      if (length >= messageLength) return message.subarray(0, messageLength)
    }
    if (size === 0 || piece.length < size) return size === 0 ? "other" : null
    at += 5 + size
  }
}

/** Reads forward through bytes; reading past the end marks the cursor as broken and returns nothing. */
class Cursor {
  readonly #bytes: Uint8Array
  #at: number
  isBroken = false

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  number(size: 1 | 2): number {
    const bytes = this.take(size)
    return bytes.length < size ? 0 : size === 1 ? bytes[0] : (bytes[0] << 8) | bytes[1]
  }

  skip(size: number): void {
    this.take(size)
  }

  take(size: number): Uint8Array {
    const end = this.#at + size
    if (end > this.#bytes.length) this.isBroken = true
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return this.isBroken ? bytes.subarray(0, 0) : bytes
  }
}
