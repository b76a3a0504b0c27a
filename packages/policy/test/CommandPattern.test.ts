/** Rules about commands by their first words. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { CommandPattern, Policy, Rule, RuleMatch, RuleOf, RuleText } from "../src/index.ts"
import { root } from "./Facts.ts"

const rule = (text: string): Rule.Rule => Result.getOrThrow(RuleText.parse(text))

interface SampleCall {
  readonly commands: CommandPattern.Commands
  readonly escalate?: string
  readonly cwd?: string
  readonly reach?: Policy.Reach
}

/** A call of run_command that needs an approval: it requests more than the sandbox allows, or there is no sandbox. */
const call = ({ commands, cwd, escalate, reach = "Confined" }: SampleCall): Policy.Facts => ({
  tool: "run_command",
  tier: "Elevated",
  reach,
  tainted: null,
  newHost: null,
  raised: null,
  runsCommands: true,
  arguments: {
    command: commands === null ? "npm test $(x)" : commands.map((words) => words.join(" ")).join(" && "),
    cwd: cwd ?? ".",
    timeoutMillis: 5_000,
    ...(escalate === undefined ? {} : { escalate: { to: escalate, reason: "because" } })
  },
  defaults: { cwd: ".", timeoutMillis: 120_000 },
  incidental: new Set(["escalate.reason", "timeoutMillis"]),
  workspaceRoot: root,
  destination: null,
  commands
})

const decided = (rules: ReadonlyArray<string>, facts: Policy.Facts): string =>
  Policy.evaluate({ rules: rules.map(rule), approve: "ask" }, facts)._tag

const npmTest = ["npm", "test"]
const npm = 'run_command command="npm test *"'
const npmHost = `${npm} escalate.to=host`

describe("A rule about commands by their first words", () => {
  it("covers a command that begins with them, whatever follows, and no other", () => {
    for (const words of [npmTest, [...npmTest, "--watch"], [...npmTest, "a", "b c"]]) {
      assert.strictEqual(decided([npm], call({ commands: [words] })), "Allow", words.join(" "))
    }
    for (const words of [["npm"], ["npm", "testing"], ["npm", "run", "test"], ["x", "npm", "test"], ["npm test"]]) {
      assert.strictEqual(decided([npm], call({ commands: [words] })), "Ask", words.join(" "))
    }
  })

  it("covers no command that was not parsed completely", () => {
    assert.strictEqual(decided([npm], call({ commands: null })), "Ask")
    assert.strictEqual(decided([npm], call({ commands: [] })), "Ask")
  })

  it("covers several commands only if each matches, by one rule or by several", () => {
    const both = [npmTest, ["git", "status"]]
    assert.strictEqual(decided([npm], call({ commands: both })), "Ask")
    assert.strictEqual(decided([npm, 'run_command command="git status *"'], call({ commands: both })), "Allow")
    assert.strictEqual(decided([npm, 'run_command command="git push *"'], call({ commands: both })), "Ask")
    assert.strictEqual(
      decided([npmHost, 'run_command command="git status *"'], call({ commands: both, escalate: "host" })),
      "Ask"
    )
  })

  it("covers a request beyond the sandbox only if it names that", () => {
    const host = call({ commands: [npmTest], escalate: "host" })
    assert.strictEqual(decided([npm], host), "Ask")
    assert.strictEqual(decided(["run_command"], host), "Ask")
    assert.strictEqual(decided(["run_command escalate.to=host"], host), "Ask")
    assert.strictEqual(decided([npmHost], host), "Allow")
    assert.strictEqual(decided([npmHost], call({ commands: [npmTest], escalate: "network" })), "Ask")
    assert.strictEqual(decided([npmHost], call({ commands: [npmTest], escalate: "host", cwd: "other" })), "Ask")
  })

  it("denies and asks about a command that may match, also one that was not parsed", () => {
    const deny = 'deny run_command command="git push *"'
    assert.strictEqual(decided([deny], call({ commands: [npmTest, ["git", "push", "origin"]] })), "Deny")
    assert.strictEqual(decided([deny, "run_command"], call({ commands: [npmTest], reach: "Confined" })), "Ask")
    const unread = { ...call({ commands: null }), arguments: { command: "git $(true) push" } }
    assert.strictEqual(decided([deny], unread), "Deny")
  })

  it("denies a command with the program's path, with options between its words, or behind another program", () => {
    const deny = 'deny run_command command="git push *"'
    const decision = (line: string) =>
      decided([deny, "run_command"], call({ commands: [line.split(" ")], reach: "Confined" }))
    for (const line of [
      "/usr/bin/git push origin",
      "git -c a.b=c -C . --no-pager push origin",
      "git --git-dir .git -P push",
      "git -c alias.p=push p origin",
      "env git push origin",
      "command git push origin",
      "nohup xargs git push",
      "git-push origin",
      "/usr/lib/git-core/git-push origin",
      "git --config-env=alias.p=X p origin",
      "git --config-env alias.p=X p origin",
      "git -c include.path=x p origin",
      "git -c includeIf.gitdir:/.path=x p origin"
    ]) {
      assert.strictEqual(decision(line), "Deny", line)
    }
    for (const line of [
      "git commit -m push",
      "git log push",
      "git stash push",
      "npm push",
      "git -C /pushed log",
      "git-log push",
      "git --config-env=user.name=X log",
      "git -c alias.p=pull p"
    ]) {
      assert.notStrictEqual(decision(line), "Deny", line)
    }
    const quoted = (command: string) => decided([deny], { ...call({ commands: null }), arguments: { command } })
    for (const line of ["g\\it pu\\sh $X", "g''it \"pu\"sh $X", "gi$'t' p$'ush' $X"]) {
      assert.strictEqual(quoted(line), "Deny", line)
    }
    assert.notStrictEqual(quoted("git log $X"), "Deny")
  })

  it("denies the same command of every tool that runs commands, and allows only those of its own tool", () => {
    const started = (commands: CommandPattern.Commands) => ({ ...call({ commands }), tool: "start_command" })
    const deny = 'deny run_command command="git push *"'
    assert.strictEqual(decided([deny], started([["git", "push"]])), "Deny")
    assert.strictEqual(decided([deny], { ...started(null), arguments: { command: "git $(true) push" } }), "Deny")
    assert.strictEqual(decided([deny], started([["git", "log"]])), "Ask")
    assert.strictEqual(decided([npm], started([npmTest])), "Ask")
    // A tool that runs no commands has other fields of that name.
    const { commands: _, ...other } = started(null)
    assert.strictEqual(decided([deny], { ...other, arguments: { command: "git push" } }), "Ask")
  })

  it("never overrides taint", () => {
    const tainted = { ...call({ commands: [npmTest] }), tainted: "made by the model" }
    assert.strictEqual(decided([npm], tainted), "Ask")
  })
})

describe("The rule behind always, of a command that requests more", () => {
  const offered = (words: ReadonlyArray<string>, escalate = "host"): string | null =>
    RuleOf.ruleOf(call({ commands: [words], escalate }))?.text ?? null

  it("has its first words and the request, and covers that call and others like it", () => {
    assert.strictEqual(
      offered(["git", "push", "origin", "main"], "network"),
      'run_command command="git push *" escalate.to=network'
    )
    assert.strictEqual(
      offered(["./deploy.sh", "staging", "-v"]),
      'run_command command="./deploy.sh staging *" escalate.to=host'
    )
    for (const words of [npmTest, ["git", "push"], ["cargo", "build", "--release"], ["touch", "/tmp/x"]]) {
      assert.strictEqual(
        decided([offered(words) ?? ""], call({ commands: [words], escalate: "host" })),
        "Allow",
        words.join(" ")
      )
    }
  })

  it("has the exact command if its first words could mean anything", () => {
    for (const words of [
      ["bash", "-c", "x"],
      ["python3", "a.py"],
      ["sudo", "id"],
      ["find", ".", "-delete"],
      ["git", "-c", "core.pager=x", "log"],
      ["/usr/bin/npm", "--prefix", "a", "test"],
      ["a", "b c"]
    ]) {
      const text = offered(words) ?? ""
      assert.notInclude(text, "*", words.join(" "))
      assert.strictEqual(decided([text], call({ commands: [words], escalate: "host" })), "Allow", text)
      assert.strictEqual(decided([text], call({ commands: [[...words, "more"]], escalate: "host" })), "Ask", text)
    }
  })

  it("shows its exact scope", () => {
    const pattern = RuleMatch.patternOf(rule(npm)) ?? ""
    const { match, notMatch } = CommandPattern.examplesOf(pattern)
    for (const text of match) assert.isTrue(CommandPattern.surelyMeans(pattern, [text.split(" ")]), text)
    assert.isFalse(CommandPattern.surelyMeans(pattern, [notMatch[0]?.split(" ") ?? []]))
  })
})

describe("The mode that allows every command", () => {
  const commands = (facts: Policy.Facts, rules: ReadonlyArray<string> = []): Policy.Decision =>
    Policy.evaluate({ rules: rules.map(rule), approve: "commands" }, facts)

  it("allows every ask about commands, and is named as the authority", () => {
    const allowed = { _tag: "Allow", authority: { _tag: "Config", source: "approve: commands" } } as const
    assert.deepStrictEqual(commands(call({ commands: null, escalate: "host" })), allowed)
    assert.deepStrictEqual(commands(call({ commands: null, reach: "Host" })), allowed)
    const subject = { ...call({ commands: null }), destination: { host: "a.test", port: 443, standard: true } }
    assert.deepStrictEqual(Policy.evaluateHost({ rules: [], approve: "commands" }, subject, false), allowed)
  })

  it("overrides no rule and no taint, and applies to commands only", () => {
    const facts = call({ commands: [npmTest], escalate: "host" })
    assert.strictEqual(commands(facts, ["ask run_command"])._tag, "Ask")
    assert.strictEqual(commands(facts, ["deny run_command"])._tag, "Deny")
    assert.strictEqual(commands({ ...facts, tainted: "made by the model" })._tag, "Ask")
    assert.strictEqual(commands({ ...facts, tool: "delete_path", runsCommands: false })._tag, "Ask")
  })
})
