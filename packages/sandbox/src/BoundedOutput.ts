/** Keeps the beginning and the end of a stream of bytes in bounded memory, even if the pieces are tiny. */

const firstBytes = 4096
const headShare = 0.2

/** Collects pieces of output; beyond the limit, the middle is dropped and counted. */
export class BoundedOutput {
  readonly #maxHeadBytes: number
  readonly #maxTailBytes: number
  #head: Uint8Array
  #headBytes = 0
  /** A ring buffer, made when the head is full: `#tailTotal % #maxTailBytes` is the position of the next byte. */
  #tail: Uint8Array = new Uint8Array()
  #tailTotal = 0

  /** `maxBytes` in total, most of it for the end, where errors and summaries are. */
  constructor(maxBytes: number) {
    this.#maxHeadBytes = Math.max(1, Math.floor(maxBytes * headShare))
    this.#maxTailBytes = Math.max(1, maxBytes - this.#maxHeadBytes)
    this.#head = new Uint8Array(Math.min(firstBytes, this.#maxHeadBytes))
  }

  /** The number of bytes dropped so far. */
  get omittedBytes(): number {
    return Math.max(0, this.#tailTotal - this.#maxTailBytes)
  }

  push(piece: Uint8Array): void {
    const first = piece.subarray(0, this.#maxHeadBytes - this.#headBytes)
    if (first.length > 0) this.#pushHead(first)
    if (first.length < piece.length) this.#pushTail(piece.subarray(first.length))
  }

  #pushHead(piece: Uint8Array): void {
    const bytes = this.#headBytes + piece.length
    if (bytes > this.#head.length) {
      const grown = new Uint8Array(Math.min(this.#maxHeadBytes, Math.max(bytes, this.#head.length * 2)))
      grown.set(this.#head.subarray(0, this.#headBytes))
      this.#head = grown
    }
    this.#head.set(piece, this.#headBytes)
    this.#headBytes = bytes
  }

  #pushTail(piece: Uint8Array): void {
    if (this.#tail.length === 0) this.#tail = new Uint8Array(this.#maxTailBytes)
    const last = piece.subarray(Math.max(0, piece.length - this.#maxTailBytes))
    const start = (this.#tailTotal + piece.length - last.length) % this.#maxTailBytes
    const upToEdge = last.subarray(0, this.#maxTailBytes - start)
    this.#tail.set(upToEdge, start)
    this.#tail.set(last.subarray(upToEdge.length), 0)
    this.#tailTotal += piece.length
  }

  /**
   * Decodes the output as UTF-8, with a line about the full length if bytes were dropped. A character that is split by
   * the gap is dropped too.
   */
  text(): string {
    const head = this.#head.subarray(0, this.#headBytes)
    if (this.#tailTotal <= this.#maxTailBytes) {
      return new TextDecoder().decode(Buffer.concat([head, this.#tail.subarray(0, this.#tailTotal)]))
    }
    const edge = this.#tailTotal % this.#maxTailBytes
    const tail = Buffer.concat([this.#tail.subarray(edge), this.#tail.subarray(0, edge)])
    let split = 0
    while (split < 3 && isContinuation(tail[split])) split++
    const dropped = `\n[output truncated — original size: ${this.#headBytes + this.#tailTotal} bytes]\n`
    return new TextDecoder().decode(head, { stream: true }) + dropped + new TextDecoder().decode(tail.subarray(split))
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
