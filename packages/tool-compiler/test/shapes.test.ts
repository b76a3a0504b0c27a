/** The schema and the type of a shape agree: TypeScript compares the types, and values are decoded by the schemas. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { API } from "typescript/unstable/sync"
import * as Shape from "../src/Shape.ts"
import { schemaText, typeText } from "../src/ShapeText.ts"

/** Numbers below 1 from a seed, the same in every run. */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const names = ["a", "b", "name", "content-type", "größe", "default", "0"]

class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = numbers(seed)
  }

  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  pick<A>(items: ReadonlyArray<A>): A {
    return items[this.below(items.length)]
  }

  shape(depth: number): Shape.Shape {
    const leaf = this.below(7)
    if (depth === 0 || this.below(3) === 0) {
      if (leaf === 0) return Shape.number
      if (leaf === 1) return Shape.boolean
      if (leaf === 2) return Shape.nullShape
      return leaf < 5 ? Shape.text : Shape.literal(this.pick(["on", "off", 1, -2.5, true, `"quoted"\n`]))
    }
    const inner = () => this.shape(depth - 1)
    switch (this.below(5)) {
      case 0:
        return Shape.array(inner(), this.below(2) === 0)
      case 1:
        return { _tag: "Record", value: inner() }
      case 2:
        return Shape.union([inner(), inner(), inner()])
      case 3: {
        const needed = Array.from({ length: 1 + this.below(2) }, () => ({ shape: inner(), isOptional: false }))
        const isMutable = this.below(2) === 0
        return { _tag: "Tuple", isMutable, items: [...needed, { shape: inner(), isOptional: true }] }
      }
      default:
        return {
          _tag: "Object",
          fields: names
            .filter((name) => name === "b" || this.below(3) === 0)
            .map((name) => ({ name, shape: inner(), isOptional: this.below(2) === 0, description: "" }))
        }
    }
  }

  value(shape: Shape.Shape): unknown {
    switch (shape._tag) {
      case "Text":
        return this.pick(["", "on", "ünï"])
      case "Number":
        return this.pick([0, 1, -2.5])
      case "Boolean":
        return this.pick([true, false])
      case "Null":
        return null
      case "Literal":
        return shape.value
      case "Enum":
        return this.pick(shape.values)
      case "Array":
        return Array.from({ length: this.below(3) }, () => this.value(shape.item))
      case "Record":
        return Object.fromEntries(names.slice(0, this.below(3)).map((name) => [name, this.value(shape.value)]))
      case "Union":
        return this.value(this.pick(shape.members))
      case "Tuple":
        return shape.items
          .filter((item) => !item.isOptional || this.below(2) === 0)
          .map((item) => this.value(item.shape))
      case "Object":
        return Object.fromEntries(
          shape.fields
            .filter((field) => !field.isOptional || this.below(2) === 0)
            .map((field) => [field.name, this.value(field.shape)])
        )
    }
  }
}

/** The values that the type accepts, by the rules of TypeScript for a literal. */
const accepts = (shape: Shape.Shape, value: unknown): boolean => {
  switch (shape._tag) {
    case "Text":
      return typeof value === "string"
    case "Number":
      return typeof value === "number"
    case "Boolean":
      return typeof value === "boolean"
    case "Null":
      return value === null
    case "Literal":
      return value === shape.value
    case "Enum":
      return shape.values.some((one) => one === value)
    case "Array":
      return Array.isArray(value) && value.every((item) => accepts(shape.item, item))
    case "Union":
      return shape.members.some((member) => accepts(member, value))
    case "Tuple":
      return (
        Array.isArray(value) &&
        value.length <= shape.items.length &&
        shape.items.every((item, index) => (index < value.length ? accepts(item.shape, value[index]) : item.isOptional))
      )
    case "Record":
      return isObject(value) && Object.values(value).every((item) => accepts(shape.value, item))
    case "Object":
      return (
        isObject(value) &&
        Object.keys(value).every((key) => shape.fields.some(({ name }) => name === key)) &&
        shape.fields.every((field) =>
          field.name in value ? accepts(field.shape, value[field.name]) : field.isOptional
        )
      )
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const style = { optional: "optionalKey" } as const
const random = new Random(11)
const shapes = Array.from({ length: 120 }, () => random.shape(3))
const schemaOf = (shape: Shape.Shape): Schema.Codec<unknown> =>
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is what the compiler writes
  new Function("Schema", `return ${schemaText(shape, style)}`)(Schema) as Schema.Codec<unknown>

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "bough-shapes-"))
afterAll(() => fs.rmSync(folder, { recursive: true }))

describe("a shape", () => {
  it("is written as a schema that decodes exactly what its type accepts", () => {
    let accepted = 0
    for (const [index, shape] of shapes.entries()) {
      const decode = SchemaParser.decodeUnknownResult(schemaOf(shape), { onExcessProperty: "error" })
      const others = [shape, shape, shapes[(index + 1) % shapes.length] ?? shape, random.shape(1)]
      for (const value of others.map((other) => random.value(other))) {
        const isAccepted = accepts(shape, value)
        const decoded = decode(value)
        assert.strictEqual(Result.isSuccess(decoded), isAccepted, `${typeText(shape, style)}: ${JSON.stringify(value)}`)
        if (Result.isSuccess(decoded)) assert.deepStrictEqual(decoded.success, value)
        if (isAccepted) accepted += 1
      }
    }
    assert.isAbove(accepted, 2 * shapes.length - 1)
  })

  it("is written as a type that equals the type of its schema", () => {
    fs.symlinkSync(path.join(import.meta.dirname, "../node_modules"), path.join(folder, "node_modules"))
    const compilerOptions = { strict: true, module: "nodenext", target: "esnext", exactOptionalPropertyTypes: true }
    fs.writeFileSync(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true, types: [] } })
    )
    const file = path.join(folder, "shapes.ts")
    const lines = shapes.flatMap((shape, index) => [
      `const schema${index} = ${schemaText(shape, style)}`,
      `type Type${index} = ${typeText(shape, style)}`,
      `export const there${index} = (value: typeof schema${index}.Type): Type${index} => value`,
      `export const back${index} = (value: Type${index}): typeof schema${index}.Type => value`
    ])
    fs.writeFileSync(file, [`import * as Schema from "effect/Schema"`, ...lines, ""].join("\n"))
    const api = new API({ cwd: folder })
    try {
      const snapshot = api.updateSnapshot({ openProjects: [path.join(folder, "tsconfig.json")] })
      const [project] = snapshot.getProjects()
      assert.deepStrictEqual(
        project?.program.getSemanticDiagnostics(file).map(({ text }) => text),
        []
      )
    } finally {
      api.close()
    }
  })
})
