/**
 * Reads the patterns of secretlint's recommended rules, which are not available as data, and prints them as the
 * module `src/secrets/SecretlintRules.ts`: `node packages/dispatch/build/secretRules.ts >
 * packages/dispatch/src/secrets/SecretlintRules.ts`. It learns the patterns of a rule by giving the rule a text object
 * that records every search in it.
 */
import { rules } from "@secretlint/secretlint-rule-preset-recommend"
import type { SecretRule } from "../src/secrets/SecretRule.ts"

const secretAccess = ["SECRET", "secret", "Secret"].flatMap((secret) =>
  ["", "_"].flatMap((between) => ["ACCESS", "access", "Access"].map((access) => `${secret}${between}${access}`))
)
const schemes = (...names: ReadonlyArray<string>) => names.flatMap((name) => [`${name}://`, `${name.toUpperCase()}://`])

/**
 * The words of each pattern (every match contains one of them) and the length of its longest match. Patterns that
 * match no secret are left out.
 */
const known: ReadonlyArray<
  readonly [part: string, anchors: ReadonlyArray<string>, length: number] | readonly [part: string]
> = [
  ["A3T[A-Z0-9]|AKIA", ["A3T", "AKIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ASIA"], 20],
  ["ACCOUNT|account"],
  ["(?:SECRET|secret|Secret)_?(?:ACCESS", secretAccess, 200],
  ["-----BEGIN", ["-----BEGIN "], 10_200],
  ["npm_", ["npm_"], 40],
  ["(?<protocol>", ["http://", "https://", "ftp://", "ftps://"], 800],
  ["(?:xoxb|", ["xoxb-", "xoxp-", "xapp-", "xoxa-", "xoxo-", "xoxr-"], 400],
  ["hooks\\.slack", ["https://hooks.slack.com", "HTTPS://HOOKS.SLACK.COM"], 180],
  ["SG\\.", ["SG."], 400],
  ["shppa", ["shppa_", "shpca_", "shpat_", "shpss_"], 80],
  ["(?<type>ghs)_", ["ghs_"], 12_100],
  ["ghp|gho", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], 60],
  ["github_pat", ["github_pat_"], 110],
  ["glpat-", ["glpat-"], 140],
  ["glc_", ["glc_"], 410],
  ["glsa_", ["glsa_"], 60],
  ["T3BlbkFJ", ["sk-"], 200],
  ["sk-ant-", ["sk-ant-"], 160],
  ["gsk_", ["gsk_"], 60],
  ["hf_", ["hf_"], 40],
  ["lin_api_", ["lin_api_"], 140],
  ["ntn_", ["ntn_"], 60],
  ["ops_(", ["ops_ey"], 1_300],
  ["mongodb", schemes("mongodb", "mongodb+srv"), 1_100],
  ["mysql", schemes("mysql", "mysqlx"), 1_100],
  ["postgres", schemes("postgres", "postgresql"), 1_100],
  ["hvs\\.", ["hvs."], 130],
  ["hvb\\.", ["hvb."], 310],
  ["hvr\\.", ["hvr."], 130],
  ["vcp|vci", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], 70],
  ["dapi", ["dapi"], 50],
  ["dckr_pat_", ["dckr_pat_"], 40],
  ["figd_", ["figd_"], 210],
  ["sk_live|", ["sk_live_", "sk_test_", "rk_live_", "rk_test_"], 120],
  ["cfk|", ["cfk_", "cfut_", "cfat_"], 70],
  ["tskey-", ["tskey-"], 140],
  ["secretlint-(?:disable"]
]

/** Returns every rule and its patterns, in the order of the rule set. Fails if a rule is not known here. */
export const read = (): ReadonlyArray<SecretRule> =>
  rules.flatMap((rule) => {
    const name = rule.meta.id.replace(/^@secretlint\/secretlint-rule-/u, "")
    return patternsOf(rule).flatMap((pattern): ReadonlyArray<SecretRule> => {
      const entry = known.find(([part]) => pattern.source.includes(part))
      if (entry === undefined) throw new Error(`no anchors are known for ${name}: ${pattern.source}`)
      const [, anchors, length] = entry
      if (anchors === undefined || length === undefined) return []
      return [{ name, source: bounded(pattern.source), flags: pattern.flags.replace("d", ""), anchors, length }]
    })
  })

/** Limits every repetition, and hides only the value if a name precedes it. */
const bounded = (source: string): string =>
  source
    .replaceAll(/(?<!\\)\\s\*/gu, "\\s{0,8}")
    .replaceAll(")+[a-zA-Z0-9]{1,40}", "){1,8}[a-zA-Z0-9]{1,40}")
    .replace("([A-Za-z0-9/\\+=]{40})", "(?<secret>[A-Za-z0-9/\\+=]{40})")

const patternsOf = (rule: (typeof rules)[number]): ReadonlyArray<RegExp> => {
  const patterns: Array<RegExp> = []
  const content = new Proxy(new String(""), {
    get: (_, name) =>
      name === "matchAll"
        ? (pattern: RegExp) => {
            patterns.push(pattern)
            return []
          }
        : Reflect.get(String.prototype, name)
  })
  const context = {
    createTranslator: () => () => ({ message: "" }),
    ignore: () => {},
    report: () => {},
    sharedOptions: {}
  }
  const source = { filePath: "a.txt", ext: ".txt", contentType: "text", content }
  const ruleCheck = rule.create(context, { enableIDScanRule: true })
  void ruleCheck.file?.(source, {})
  return patterns
}

export const print = (all: ReadonlyArray<SecretRule>): string =>
  [
    "/**",
    " * The forms of many services' secrets: the patterns of secretlint's recommended rules (MIT, © 2020 azu), as data.",
    " * Written by `build/secretRules.ts`; a test compares it with the rule set that is installed.",
    " */",
    'import type { SecretRule } from "./SecretRule.ts"',
    "",
    "export const secretlintRules: ReadonlyArray<SecretRule> = [",
    all.map((rule) => `  ${JSON.stringify(rule)}`).join(",\n"),
    "]",
    ""
  ].join("\n")

if (import.meta.main) process.stdout.write(print(read()))
