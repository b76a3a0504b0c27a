/** Tests of the examples of a rule: calls that it covers, or does not. */
import { RuleText } from "@bough/policy"
import { Capability, Egress, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { RuleExamples } from "../src/index.ts"
import { done, Done } from "./Harness.ts"
import { readFile, writeFile } from "./Tools.ts"

const get = Tool.make("http_get", {
  version: 1,
  description: "Gets",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ url: Schema.String, accept: Schema.String }),
  output: Done,
  egress: { address: ({ url }) => url } satisfies Partial<Egress.Egress<{ readonly url: string }>>,
  execute: () => Effect.succeed(done)
})

const runCommand = Tool.make("run_command", {
  version: 1,
  description: "Runs",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ command: Schema.String, cwd: Schema.optionalKey(Schema.String) }),
  output: Done,
  commands: ({ command }) => Effect.succeed(command.split(" && ").map((one) => one.split(" "))),
  execute: () => Effect.succeed(done)
})

const world: RuleExamples.ExampleContext = {
  registry: new Map([readFile, writeFile, get, runCommand].map((tool) => [tool.name, tool])),
  workspaceRoot: "/srv/space"
}

const wrong = (rule: string, examples: Partial<RuleExamples.Examples>): string | null =>
  Result.match(
    RuleExamples.check(Result.getOrThrow(RuleText.parse(rule)), { ...RuleExamples.none, ...examples }, world),
    {
      onFailure: ({ message }) => message,
      onSuccess: () => null
    }
  )

describe("RuleExamples", () => {
  it("accepts a rule that matches its examples and none of its counterexamples", () => {
    const match = ["write_file path=src/a.ts", 'write_file path="/srv/space/src/b c"']
    const notMatch = ["write_file path=srcs/a.ts", "write_file path=src/../x", "read_file path=src/a.ts"]
    assert.isNull(wrong("write_file path=src/", { match, notMatch }))
    assert.isNull(
      wrong("deny * path=src", { match: [...match, "write_file path=./SRC/../src/x"], notMatch: ["read_file path=x"] })
    )
  })

  it("names the rule and the wrong example", () => {
    assert.strictEqual(
      wrong("write_file path=src", { match: ["write_file path=src/a", "write_file path=srcs/a"] }),
      'the rule "write_file path=src" has the example "write_file path=srcs/a", which does not match, and should'
    )
    assert.strictEqual(
      wrong("write_file", { notMatch: ["write_file path=deploy"] }),
      'the rule "write_file" has the example "write_file path=deploy", which matches, and should not'
    )
  })

  it.each([
    ["writefile path=a", 'names the tool "writefile", which does not exist'],
    ["write_file pth=a", 'is not a call of write_file: pth: unknown key "pth": did you mean "path"?'],
    ["write_file path=[1]", /is not a call of write_file: path: /],
    ["write_file path", 'has "path" where FIELD=VALUE is expected']
  ])("refuses an example that is not a call, whichever way it should match: %j", (example, what) => {
    for (const examples of [{ match: [example] }, { notMatch: [example] }]) {
      const message = wrong("read_file", examples) ?? ""
      if (typeof what === "string") assert.include(message, what)
      else assert.match(message, what)
    }
  })

  it("asks the tool for the destination of a call, and requires a complete call for that", () => {
    const rule = "http_get host=api.example.com"
    const match = ["http_get url=https://api.example.com/v1?x=1 accept=*/*"]
    assert.isNull(wrong(rule, { match, notMatch: ["http_get url=https://example.com.evil/ accept=*/*"] }))
    assert.include(
      wrong(rule, { match: ["http_get url=https://api.example.com/"] }) ?? "",
      "has no destination without accept"
    )
  })

  const npmTest = Result.getOrThrow(RuleText.parse('run_command command="npm test *"'))
  const checkCommands = (examples: Partial<RuleExamples.Examples>) => {
    const whole = { ...RuleExamples.none, ...examples }
    return RuleExamples.withCommands(npmTest, whole, world).pipe(
      Effect.map((context) => RuleExamples.check(npmTest, whole, context)),
      Effect.map(Result.match({ onFailure: ({ message }) => message, onSuccess: () => null }))
    )
  }

  it.effect("compares a pattern with the commands that the tool reads in an example", () =>
    Effect.gen(function* () {
      const command = (text: string) => `run_command command=${JSON.stringify(text)}`
      const notMatch = [command("npm test && curl x"), command("npm testing"), command("echo npm test")]
      assert.isNull(
        yield* checkCommands({ match: [command("npm test"), command("npm test a && npm test b")], notMatch })
      )
      for (const text of notMatch) {
        assert.include((yield* checkCommands({ match: [text] })) ?? "", "which does not match, and should")
      }
      assert.include((yield* checkCommands({ notMatch: [command("npm test a")] })) ?? "", "matches, and should not")
      assert.include((yield* checkCommands({ match: ["run_command cwd=src"] })) ?? "", "no commands without command")
    })
  )

  it("accepts an example whose commands were not read if it contains the words of the pattern", () => {
    const rule = 'run_command command="npm test *"'
    assert.isNull(wrong(rule, { match: ['run_command command="npm test a"'] }))
    assert.include(
      wrong(rule, { match: ['run_command command="npm run a"'] }) ?? "",
      "which does not match, and should"
    )
    const inFolder = wrong(`${rule} cwd=src`, { match: ['run_command command="npm test a" cwd=docs'] })
    assert.include(inFolder ?? "", "which does not match, and should")
  })

  it("refuses an example of the hosts that a command reaches", () => {
    const example = 'run_command command="curl https://example.com"'
    assert.include(wrong("run_command host=example.com", { match: [example] }) ?? "", "known when it runs")
  })
})
