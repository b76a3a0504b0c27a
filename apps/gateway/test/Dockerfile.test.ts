/** The Dockerfile, parsed: without docker, its names are checked against the repository. */
import { assert, describe, it } from "@effect/vitest"
import { DockerfileParser, type Instruction } from "dockerfile-ast"
import { readFileSync } from "node:fs"

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8")
const dockerfile = DockerfileParser.parse(read("../Dockerfile"))
const instructions = dockerfile.getInstructions()

const known: ReadonlySet<string> = new Set([
  "FROM",
  "WORKDIR",
  "COPY",
  "RUN",
  "ENV",
  "USER",
  "VOLUME",
  "EXPOSE",
  "HEALTHCHECK",
  "STOPSIGNAL",
  "ENTRYPOINT",
  "CMD"
])

const last = (keyword: string): Instruction | undefined =>
  instructions.findLast((instruction) => instruction.getInstruction() === keyword)

/** The arguments of an instruction in the form of JSON, which no shell reads. */
const words = (keyword: string): ReadonlyArray<string> =>
  JSON.parse(last(keyword)?.getRawArgumentsContent() ?? "null") as ReadonlyArray<string>

describe("the Dockerfile", () => {
  it("has known instructions, each with arguments", () => {
    for (const instruction of instructions) {
      assert.isTrue(known.has(instruction.getInstruction()), instruction.getInstruction())
      assert.isNotEmpty(instruction.getArguments(), instruction.toString())
    }
  })

  it("copies from a stage that it defines, and runs the command of the package as a user other than root", () => {
    const froms = dockerfile.getFROMs().map((from) => from.getBuildStage())
    for (const copy of dockerfile.getCOPYs()) {
      const [from = null] = copy.getFlags().map((flag) => flag.getValue())
      if (from !== null) assert.include(froms, from)
    }
    const manifest = JSON.parse(read("../package.json")) as { readonly bin: Readonly<Record<string, string>> }
    assert.deepStrictEqual(words("ENTRYPOINT"), Object.keys(manifest.bin))
    const user = last("USER")
    assert.isAbove(Number(user?.getArgumentsContent()), 0)
    assert.isBelow(instructions.indexOf(user as Instruction), instructions.indexOf(last("ENTRYPOINT") as Instruction))
  })

  it("checks the health of the port that it exposes, and starts in its volume", () => {
    const port = last("EXPOSE")?.getArgumentsContent() ?? ""
    assert.include(last("HEALTHCHECK")?.getArgumentsContent(), `:${port}/health`)
    assert.deepStrictEqual(words("CMD").slice(-1), words("VOLUME"))
  })
})
