/** Texts that look like a secret, and texts that only nearly do. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { print, read } from "../../build/secretRules.ts"
import { Redaction } from "../../src/index.ts"
import { furtherRules } from "../../src/secrets/FurtherRules.ts"
import { secretlintRules } from "../../src/secrets/SecretlintRules.ts"

const { holdsSecret, redact } = Redaction.make([])

const letters = "aZ4kQ9xB2mW7rT1nV6cY3hL8pD5gS0jF"
/** Text that looks random, without one character again and again. */
const random = (length: number, from = letters): string =>
  Array.from({ length }, (_, at) => from[(at * 7 + Math.floor(at / from.length) * 3) % from.length]).join("")
const hex = (length: number): string => random(length, "0f1e2d3c4b5a6978")
const word = (length: number): string => random(length, "abcDEFghiJKLmnoPQR")
const upper = (length: number): string => random(length, "QWERTY7UIOP2ASDFGH")
const pem = (name: string): string =>
  `-----BEGIN ${name}-----\n${[64, 64, 64, 40].map((length) => random(length)).join("\n")}\n-----END ${name}-----`

/** Samples by rule; each is nothing but the secret itself. */
const samples: ReadonlyArray<readonly [name: string, secret: string]> = [
  ["aws", `AKIA${upper(16)}`],
  ["aws", `ASIA${upper(16)}`],
  ["privatekey", pem("RSA PRIVATE KEY")],
  ["privatekey", pem("OPENSSH PRIVATE KEY")],
  ["privatekey", pem("PRIVATE KEY")],
  ["privatekey", pem("EC PRIVATE KEY")],
  ["npm", `npm_${random(36)}`],
  ["slack", `xoxb-1234567890-0987654321-${random(24)}`],
  ["slack", `https://hooks.slack.com/services/T${upper(9)}/B${upper(9)}/${random(24)}`],
  ["sendgrid", `SG.${random(22)}.${random(43)}`],
  ["shopify", `shpat_${hex(32)}`],
  ["stripe", `sk_live_${random(40)}`],
  ["stripe", `rk_test_${random(40)}`],
  ["stripe", `whsec_${random(32)}`],
  ["github", `ghp_${random(36)}`],
  ["github", `ghs_${random(36)}`],
  ["github", `github_pat_${random(82)}`],
  ["gitlab", `glpat-${random(20)}`],
  ["grafana", `glsa_${random(32)}_${hex(8)}`],
  ["openai", `sk-proj-${random(74)}T3BlbkFJ${random(74)}`],
  ["openai", `sk-${random(20)}T3BlbkFJ${random(20)}`],
  ["anthropic", `sk-ant-api03-${random(93)}AA`],
  ["groq", `gsk_${random(52)}`],
  ["huggingface", `hf_${word(34)}`],
  ["linear", `lin_api_${random(40)}`],
  ["notion", `ntn_12345678901${random(35)}`],
  ["1password", `ops_eyJ${random(120)}fQ`],
  ["hashicorp-vault", `hvs.${random(95)}`],
  ["hashicorp-vault", `hvb.${random(150)}`],
  ["vercel", `vcp_${random(40)}`],
  ["databricks", `dapi${hex(32)}`],
  ["docker", `dckr_pat_${random(27)}`],
  ["figma", `figd_${random(44)}`],
  ["cloudflare", `cfut_${random(40)}${hex(8)}`],
  ["tailscale", `tskey-auth-${random(12)}-${random(32)}`],
  ["jwt", `eyJ${random(33)}.eyJ${random(60)}.${random(43)}`],
  ["google", `AIza${random(35)}`],
  ["google", `GOCSPX-${random(28)}`],
  ["pypi", `pypi-AgEIcHlwaS5vcmc${random(80)}`],
  ["age", `AGE-SECRET-KEY-1${upper(58)}`]
]

/** If a value follows its name or is in an address, it alone is redacted. */
const valued: ReadonlyArray<readonly [name: string, before: string, secret: string, after: string]> = [
  ["aws", "aws_secret_access_key = ", random(40), ""],
  ["aws", 'AWS_SECRET_ACCESS_KEY="', random(40), '"'],
  ["telegram", "bot 123456789:", `AA${random(33)}`, ""],
  ["basicauth", "https://ana:", "hunter2pass", "@files.corp.test/x"],
  ["database-connection-string", "postgres://app:", "hunter2pass", "@db.corp.test:5432/app"],
  ["database-connection-string", "postgresql://app:", "p%40ss!w0rd", "@localhost/app"],
  ["database-connection-string", "mysql://app:", "hunter2pass", "@db/app"],
  ["database-connection-string", "mongodb+srv://app:", "hunter2pass", "@cluster0.corp.test/app"]
]

describe("patterns", () => {
  it("are those of the installed rule set, as data", () => {
    assert.deepStrictEqual(secretlintRules, read())
    assert.include(print(read()), "secretlintRules")
  })

  it("every rule has a sample, and each repetition a limit", () => {
    const all = [...secretlintRules, ...furtherRules]
    const sampled = new Set([...samples, ...valued].map(([name]) => name))
    assert.deepStrictEqual(
      [...new Set(all.map(({ name }) => name))].filter((name) => !sampled.has(name)),
      []
    )
    for (const { source } of all) {
      const outside = source.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/gu, "a")
      assert.notMatch(outside, /[*+]|\{\d+,\}/u, source)
    }
  })

  it.each(samples)(
    "%s: the secret is redacted, alone, in quotes, in JSON and in the middle of a text",
    (name, secret) => {
      for (const [before, after] of [
        ["", ""],
        ["key=", "\n"],
        ['"', '"'],
        ["it is ", ", and more"]
      ]) {
        assert.strictEqual(redact(before + secret + after), `${before}[hidden: ${name}]${after}`)
      }
      const long = `${"word ".repeat(5_000)}${secret}${" word".repeat(5_000)}`
      assert.strictEqual(redact(long), long.replace(secret, `[hidden: ${name}]`))
      assert.deepStrictEqual(JSON.parse(redact(JSON.stringify({ text: `a\n${secret}\n` }))), {
        text: `a\n[hidden: ${name}]\n`
      })
    }
  )

  it.each(valued)("%s: %s…: the value is redacted, and its position is reported", (name, before, secret, after) => {
    assert.strictEqual(redact(`${before}${secret}${after}`), `${before}[hidden: ${name}]${after}`)
  })

  it("a truncated private key is redacted to its end", () => {
    const cut = pem("RSA PRIVATE KEY").split("\n").slice(0, 3).join("\n")
    assert.strictEqual(redact(cut), "[hidden: privatekey]")
  })

  it.each([
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "postgres://postgres:postgres@localhost:5432/app",
    "https://user:password@example.com/",
    "mongodb://localhost:27017/test",
    "postgres://app:${DB_PASSWORD}@db/app",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk_test_",
    "task-sk-runner",
    "const secretAccessKey = process.env.AWS_SECRET_ACCESS_KEY",
    "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha512-kbAyUSqUJmN+V7g2pKTBkIXO6rNoXsnTfmGkHdyXFsKaXZ3cyMvvhQeGIXBYVgMyrqR1C3P9rrxS3c5Vtcv2zA==",
    "550e8400-e29b-41d4-a716-446655440000",
    "hf_hub_download(repo_id, filename)",
    "import { SG } from 'x'; SG.a.b",
    "npm_config_registry and npm_lifecycle_event",
    "eyJhbGciOi",
    "https://hooks.slack.com/services/",
    "The password is in the vault.",
    "xoxb-"
  ])("is not a secret: %s", (text) => {
    assert.strictEqual(redact(text), text)
    assert.isFalse(holdsSecret(text))
  })

  const Pieces = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 })))
  const placed = [...samples.map(([, secret]) => ["", secret, ""]), ...valued.map(([, ...parts]) => parts)]
  const Sample = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: placed.length - 1 }))

  it.each(["thinking", "I am thinking", "a gh", "see https"])("%j is shown as soon as it comes", (text) => {
    const { push } = Redaction.streaming(Redaction.make([]))
    assert.strictEqual(
      push(text.slice(0, -2)) + push(text.slice(-2)),
      /gh$|https$/u.test(text) ? text.split(" ")[0] + " " : text
    )
  })

  it.prop("are found the same in pieces as in the full text", [Sample, Sample, Pieces], ([one, other, lengths]) => {
    const chosen = [placed[one], placed[other]]
    const [first, second] = chosen.map((parts) => parts.join(""))
    const text = `first ${first} then ${second}\nend sk-`
    const streaming = Redaction.streaming(Redaction.make([]))
    let shown = ""
    let at = 0
    for (const length of [...lengths, text.length]) {
      shown += streaming.push(text.slice(at, at + length))
      at += length
      for (const [, secret] of chosen) assert.notInclude(shown, secret.slice(-9))
    }
    assert.strictEqual(shown + streaming.end(), redact(text))
  })

  const escapes: ReadonlyArray<(code: number) => string> = [
    (code) => `%${code.toString(16).padStart(2, "0")}`,
    (code) => `\\u${code.toString(16).padStart(4, "0")}`,
    (code) => `\\x${code.toString(16).padStart(2, "0")}`,
    (code) => `&#${code};`
  ]
  const Escape = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: escapes.length - 1 }))

  it.prop("are found in pieces when they are escaped", [Sample, Escape, Pieces], ([index, escape, lengths]) => {
    const escaped = Array.from(placed[index].join(""), (character) => escapes[escape](character.charCodeAt(0))).join("")
    const text = `first ${escaped} then\nend`
    const streaming = Redaction.streaming(Redaction.make([]))
    let shown = ""
    let at = 0
    for (const length of [...lengths, ...Array.from({ length: 40 }, () => 7), text.length]) {
      shown += streaming.push(text.slice(at, at + length))
      at += length
    }
    assert.strictEqual(shown + streaming.end(), redact(text))
  })

  const anchors = [...secretlintRules, ...furtherRules].map((rule) => rule.anchors[0])

  it.each([
    ...new Set([
      ...anchors,
      "-----BEGIN RSA PRIVATE KEY-----\n",
      "https://a:",
      "\\",
      "%41",
      "\\u0041",
      "&#65;",
      "a",
      "xoxb-a-"
    ])
  ])("a long hostile text of %j is scanned in time", (piece) => {
    const text = piece.repeat(Math.ceil(150_000 / piece.length))
    assert.isString(redact(text))
    assert.isString(redact(`${text}a`.replaceAll(/(.{97})/gsu, "$1 ")))
  })
})
