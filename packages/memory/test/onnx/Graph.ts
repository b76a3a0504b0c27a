/**
 * The embedded model as an ONNX file: the row of each token, dequantised from eight bits. Row 0 stands for unknown
 * words and is zero.
 */
import { dimension } from "@bough/embedding-static"
import type { Table } from "@bough/embedding-static/Table"
import { bytes, integer, message, text } from "./Protobuf.ts"

// Numbers of fields and of element types, from onnx.proto.
const float = 1
const int8 = 3
const int64 = 7

interface Value {
  readonly name: string
  readonly type: number
  /** A size that is unknown beforehand has a name. */
  readonly shape: ReadonlyArray<string | number>
}

const tensorOf = ({ name, shape, type }: Value, data: Uint8Array): Uint8Array =>
  message(5, ...shape.map((size) => integer(1, Number(size))), integer(2, type), text(8, name), data)

const tensor = (value: Value, data: ArrayBufferView): Uint8Array =>
  tensorOf(value, bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)))

/** The data of the tensor is the entire content of a file beside the file of the graph. */
const tensorIn = (value: Value, file: string): Uint8Array =>
  tensorOf(value, Buffer.concat([message(13, text(1, "location"), text(2, file)), integer(14, 1)]))

interface Node {
  readonly operator: string
  readonly inputs: ReadonlyArray<string>
  readonly output: string
  readonly attribute?: Uint8Array
}

const node = ({ attribute = Buffer.alloc(0), inputs, operator, output }: Node): Uint8Array =>
  message(1, ...inputs.map((input) => text(1, input)), text(2, output), text(3, output), text(4, operator), attribute)

const value = (field: number, { name, shape, type }: Value): Uint8Array => {
  const sizes = shape.map((size) => message(1, typeof size === "number" ? integer(1, size) : text(2, size)))
  return message(field, text(1, name), message(2, message(1, integer(1, type), message(2, ...sizes))))
}

/** `to`: the element type that a Cast makes. */
const castTo = (type: number): Uint8Array => message(5, text(1, "to"), integer(3, type), integer(20, 2))

/** The name under which `tensorIn` finds the scale of each token. */
export const scalesOf = ({ scales }: Table): Float32Array =>
  Float32Array.from({ length: scales.length + 1 }, (_, row) => (row === 0 ? 0 : scales[row - 1]))

/** `apart`: the name of the file with the scales; null: they are in this one. */
export const model = (table: Table, apart: string | null = null): Uint8Array => {
  const { numbers, words } = table
  const rows = words.length + 1
  const scales: Value = { name: "scales", type: float, shape: [rows, 1] }
  return Buffer.concat([
    integer(1, 8), // version of the format
    text(2, "bough"),
    message(
      7,
      node({ operator: "Gather", inputs: ["table", "input_ids"], output: "rows" }),
      node({ operator: "Cast", inputs: ["rows"], output: "numbers", attribute: castTo(float) }),
      node({ operator: "Gather", inputs: ["scales", "input_ids"], output: "row_scales" }),
      node({ operator: "Mul", inputs: ["numbers", "row_scales"], output: "last_hidden_state" }),
      text(2, "static"),
      tensor(
        { name: "table", type: int8, shape: [rows, dimension] },
        Int8Array.from({ length: rows * dimension }, (_, index) => (index < dimension ? 0 : numbers[index - dimension]))
      ),
      apart === null ? tensor(scales, scalesOf(table)) : tensorIn(scales, apart),
      value(11, { name: "input_ids", type: int64, shape: ["batch", "tokens"] }),
      value(12, { name: "last_hidden_state", type: float, shape: ["batch", "tokens", dimension] })
    ),
    message(8, text(1, ""), integer(2, 13)) // operator set
  ])
}
