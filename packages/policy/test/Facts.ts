/** Random calls and rules that often match: few names, few values. */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import type { Policy, Rule } from "../src/index.ts"
import { HostRule, Rule as Rules } from "../src/index.ts"

export const root = "/home/ana/work"

const segment = Schema.Literals(["src", "srcx", "a", "A", "..", ".", "deep", "é"])
const path = Schema.Struct({
  absolute: Schema.Literals(["", "", "/", `${root}/`]),
  segments: Schema.NonEmptyArray(segment),
  slash: Schema.Literals(["", "", "/"])
})
const tool = Schema.Literals(["run_command", "write_file", "move_path"])
const argv = Schema.Array(Schema.Literals(["npm", "test", "npm test", "--", ""]))

export const pathText = Arbitrary.map(
  Arbitrary.schema(path),
  ({ absolute, segments, slash }) => absolute + segments.join("/") + slash
)

/** A path that a rule may contain. */
export const rulePath = Arbitrary.filter(pathText, (text) => !text.split("/").includes(".."))

const agent = Schema.Literals(["ana", "reviewer"])
const channel = Schema.Literals(["terminal", "web"])
const kind = Schema.Literals(["Main", "Branch", "Worker"])
const caller = Schema.Struct({ agent, channel: Schema.NullOr(channel), kind })

const Parts = Schema.Struct({
  tool,
  tier: Schema.Literals(["ReadOnly", "Workspace", "System", "Elevated"]),
  reach: Schema.Literals(["Confined", "Open", "Host"]),
  tainted: Schema.NullOr(Schema.Literals(["made by the model"])),
  newHost: Schema.NullOr(Schema.Literals(["nobody agreed to it"])),
  argv,
  caller,
  force: Schema.Boolean,
  address: Schema.NullOr(
    Schema.Literals([
      "https://api.example/",
      "http://api.example:8080/x",
      "http://[::1]:3000/",
      "https://b\u00e4r.example"
    ])
  )
})

export const facts: Arbitrary.Arbitrary<Policy.Facts> = Arbitrary.flatMap(pathText, (text) =>
  Arbitrary.map(Arbitrary.schema(Parts), ({ address, argv, caller, force, newHost, reach, tainted, tier, tool }) => ({
    tool,
    tier,
    reach,
    tainted,
    newHost: address === null ? null : newHost,
    raised: null,
    arguments: tool === "run_command" ? { argv, cwd: text } : { path: text, force },
    defaults: { force: false, cwd: "." },
    workspaceRoot: root,
    caller,
    destination: address === null ? null : HostRule.destinationOf(address)
  }))
)

const written = Schema.Struct({
  effect: Schema.Literals(["allow", "ask", "deny"]),
  tool: Schema.Literals(["run_command", "write_file", "move_path", "*"]),
  argv: Schema.NullOr(argv),
  hasPath: Schema.Boolean,
  hasCwd: Schema.Boolean,
  callers: Schema.UndefinedOr(
    Schema.Union([
      Schema.Struct({ agent, channel: Schema.optionalKey(channel) }),
      Schema.Struct({ channel, kind: Schema.optionalKey(kind) }),
      Schema.Struct({ kind }),
      Schema.Struct({
        tier: Schema.Literals(["ReadOnly", "Workspace", "System", "Elevated"]),
        kind: Schema.optionalKey(kind)
      })
    ])
  ),
  force: Schema.NullOr(Schema.Boolean)
})

export const rule: Arbitrary.Arbitrary<Rule.Rule> = Arbitrary.flatMap(rulePath, (text) =>
  Arbitrary.map(Arbitrary.schema(written), ({ argv, callers, effect, force, hasCwd, hasPath, tool }) =>
    Rules.forCallers(
      Rules.make(effect, tool, [
        ...(argv === null ? [] : [{ name: "argv", value: argv }]),
        ...(hasPath ? [{ name: "path", value: text }] : []),
        ...(hasCwd ? [{ name: "cwd", value: text }] : []),
        ...(force === null ? [] : [{ name: "force", value: force }])
      ]),
      callers
    )
  )
)

export const rules = Arbitrary.array(rule, { maxLength: 4 })

export const approve = Schema.Literals(["ask", "allow", "deny"])
