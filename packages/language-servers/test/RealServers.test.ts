/** The capability over real servers: their results, the diagnostics after edits, and the latency of a warm one. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as World from "./World.ts"

const files = {
  "tsconfig.json": `{ "compilerOptions": { "strict": true, "target": "es2022", "types": [] }, "include": ["src"] }`,
  "src/area.ts": `/** Area of a circle. */\nexport const area = (radius: number): number => 3.14 * radius ** 2\n`,
  "src/main.ts": `import { area } from "./area.ts"\n\nexport class Disc {\n  constructor(readonly radius: number) {}\n  area(): number {\n    return area(this.radius)\n  }\n}\nconst wrong: string = area(2)\nexport { wrong }\n`
}

describe.each([
  ["typescript-language-server", World.typescript],
  ["the server of TypeScript 7", World.nativeTypescript]
])("%s", (_name, server) => {
  it.live("finds problems, symbols, types, definitions and references, and renames", () =>
    Effect.gen(function* () {
      const { afterWrite, service, started, write } = yield* World.open([server], files)
      const { isComplete, problems } = yield* service.diagnostics("src/main.ts")
      assert.isTrue(isComplete)
      const errors = problems.filter(({ severity }) => severity === "error")
      assert.include(errors.map(({ code }) => code).join(), "2322")
      assert.deepInclude(errors.find(({ code }) => code === "2322") ?? {}, { line: 9, column: 7 })
      const { items: symbols } = yield* service.symbols("src/main.ts")
      const method = symbols.find(({ container, name }) => name === "area" && container === "Disc")
      assert.deepInclude(method ?? {}, { kind: "method", line: 5, path: "src/main.ts" })
      assert.match((yield* service.hover("src/main.ts", { line: 6, column: 12 })) ?? "", /\n\s*Area of a circle/u)
      const definition = yield* service.definition("src/main.ts", { line: 6, column: 12 })
      assert.deepInclude(definition.items[0] ?? {}, { path: "src/area.ts", line: 2, column: 14 })
      const references = yield* service.references("src/area.ts", { line: 2, column: 14 })
      assert.sameMembers(
        references.items.map(({ line, path }) => `${path}:${line}`),
        ["src/area.ts:2", "src/main.ts:1", "src/main.ts:6", "src/main.ts:9"]
      )
      assert.include((yield* service.findSymbols("src/main.ts", "Disc")).items.map(({ name }) => name).join(), "Disc")
      const renamed = yield* service.rename("src/area.ts", { line: 2, column: 14 }, "areaOf")
      assert.deepStrictEqual(
        renamed.map(({ edits, path }) => [path, edits.length]),
        [
          ["src/area.ts", 1],
          ["src/main.ts", 3]
        ]
      )

      write("src/main.ts", files["src/main.ts"].replace("const wrong: string", "const wrong: number"))
      assert.match((yield* afterWrite("src/main.ts")) ?? "", /1 gone/u)
      assert.isNull(yield* afterWrite("src/main.ts"))
      write("src/area.ts", files["src/area.ts"].replace("radius: number", "radius: boolean"))
      assert.match(
        (yield* afterWrite("src/area.ts")) ?? "",
        /src\/area\.ts has \d errors?.*\nsrc\/area\.ts:2:\d+ error/u
      )
      // Definitions in other files than the first are known without an earlier request about them.
      write("src/third.ts", `import { Disc } from "./main.ts"\nexport const disc = new Disc(1)\n`)
      yield* afterWrite("src/third.ts")
      const third = yield* service.definition("src/third.ts", { line: 2, column: 25 })
      assert.deepInclude(third.items[0] ?? {}, { path: "src/main.ts", line: third.items[0]?.line })
      assert.strictEqual(started(), 1)
    })
  )
})

describe("pyright", () => {
  it.live(
    "knows the files of the project before it lists uses and renames, also in its first answer",
    () =>
      Effect.gen(function* () {
        const files = {
          "shapes.py": "def area(radius: float) -> float:\n    return 3.14 * radius ** 2\n",
          "main.py": "from shapes import area\n\nprint(area(2.0))\n"
        }
        for (const question of ["references", "rename"] as const) {
          const { service } = yield* World.open([World.pyright], files)
          const position = { line: 1, column: 5 }
          const places =
            question === "rename"
              ? (yield* service.rename("shapes.py", position, "surface")).map(({ path }) => path)
              : (yield* service.references("shapes.py", position)).items.map(({ path }) => path)
          assert.sameMembers([...new Set(places)], ["shapes.py", "main.py"], question)
        }
      }),
    thoroughOnly
  )

  it.live(
    "finds problems, definitions in other files and the errors that an edit caused",
    () =>
      Effect.gen(function* () {
        const { afterWrite, service, write } = yield* World.open([World.pyright], {
          "shapes.py": `def area(radius: float) -> float:\n    """Area of a circle."""\n    return 3.14 * radius ** 2\n`,
          "main.py": `from shapes import area\n\nwrong: str = area(2.0)\n`
        })
        const { problems } = yield* service.diagnostics("main.py")
        assert.deepInclude(problems[0] ?? {}, { line: 3, severity: "error", code: "reportAssignmentType" })
        const definition = yield* service.definition("main.py", { line: 3, column: 14 })
        assert.deepInclude(definition.items[0] ?? {}, { path: "shapes.py", line: 1, column: 5 })
        assert.match((yield* service.hover("main.py", { line: 3, column: 14 })) ?? "", /\n\s*Area of a circle/u)
        write("main.py", `from shapes import area\n\nwrong: float = area("2")\n`)
        const report = yield* afterWrite("main.py")
        assert.match(report ?? "", /main\.py has 1 new problem; 1 gone/u)
        assert.include(report ?? "", "reportArgumentType")
      }),
    thoroughOnly
  )
})
