/** The part of Protocol Buffers' wire format that is needed to write an ONNX file. */

const varint = (value: number): Uint8Array => {
  const bytes: Array<number> = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Uint8Array.from([...bytes, rest])
}

const lengthDelimited = 2

/** An integer, not negative. */
export const integer = (field: number, value: number): Uint8Array => Buffer.concat([varint(field * 8), varint(value)])

export const bytes = (field: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([varint(field * 8 + lengthDelimited), varint(value.length), value])

export const text = (field: number, value: string): Uint8Array => bytes(field, Buffer.from(value, "utf8"))

export const message = (field: number, ...parts: ReadonlyArray<Uint8Array>): Uint8Array =>
  bytes(field, Buffer.concat(parts))
