/** Tests of finding known secrets. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Redaction } from "../src/index.ts"

describe("Redaction", () => {
  const { holdsSecret, redact } = Redaction.make([
    "hunter2-token",
    'p"a\\ss\nword',
    "p w/x?y",
    "a",
    "hunter2-token-long"
  ])

  it.each([
    ["as it stands", "key=hunter2-token;"],
    ["inside JSON", JSON.stringify({ key: 'p"a\\ss\nword' })],
    ["inside a URL", `https://x/?k=${encodeURIComponent("p w/x?y")}`]
  ])("finds a secret %s", (_where, text) => {
    assert.isTrue(holdsSecret(text))
    assert.include(redact(text), "[redacted]")
    assert.isFalse(holdsSecret(redact(text)))
  })

  it("leaves no part of a secret that begins with another", () => {
    assert.strictEqual(redact("hunter2-token-long"), "[redacted]")
  })

  it("redacts a value of fewer than 8 characters only as a word of its own", () => {
    const { holdsSecret, redact } = Redaction.make(["prod1"])
    assert.strictEqual(redact("db=prod1; prod1!"), "db=[redacted]; [redacted]!")
    for (const text of ["reprod1", "prod1uct", "prod1_key", "aprod1ß", "cHJvZDE="]) {
      assert.strictEqual(redact(text), text)
      assert.isFalse(holdsSecret(text))
    }
  })

  it("names the redacted secret, by a name that is valid anywhere", () => {
    const named = Redaction.make([{ value: "s3cret-value", name: 'MY_KEY" x' }, "another-value"])
    assert.strictEqual(named.redact("a s3cret-value b another-value"), "a [hidden: MY_KEY__x] b [redacted]")
  })

  it("leaves text without secrets unchanged, and does not search for very short ones", () => {
    assert.strictEqual(redact("a banana"), "a banana")
    assert.isFalse(holdsSecret("a banana"))
  })

  it("learns secrets while it is in use, also in streams that have started", () => {
    const growing = Redaction.makeGrowing(["hunter2-token"])
    const stream = Redaction.streaming(growing)
    assert.isFalse(growing.holdsSecret("vault-value-1"))
    const before = stream.push("a hunter2-token ")
    growing.add([{ name: "NPM_TOKEN", value: "vault-value-1" }])
    assert.isTrue(growing.hasGrown())
    const after = stream.push("b vault-val") + stream.push("ue-1 c") + stream.end()
    assert.strictEqual(before + after, "a [redacted] b [hidden: NPM_TOKEN] c")
    assert.isTrue(growing.holdsSecret(Buffer.from("x vault-value-1").toString("base64")))
  })

  it("searches texts again that had no secret before it learnt one, and remembers any number of texts", () => {
    const growing = Redaction.makeGrowing([])
    const texts = Array.from({ length: 200 }, (_, at) => `the word is heron-${at}`)
    for (const text of texts) assert.strictEqual(growing.redact(text), text)
    growing.add([{ name: "WORD", value: "is heron-199" }])
    for (const text of texts) assert.strictEqual(growing.holdsSecret(text), text === texts.at(-1), text)
    assert.strictEqual(growing.redact(texts[199]), "the word [hidden: WORD]")
  })

  it("finds a secret beside half a surrogate pair", () => {
    assert.strictEqual(Redaction.make(["\udc00secret"]).redact("\ud800\udc00secret"), "\ud800[redacted]")
  })

  it.prop("whatever the secret, redacted text does not contain it", [Schema.String, Schema.String], ([a, b]) => {
    const secret = `${a}a-secret`
    const redaction = Redaction.make([secret])
    assert.isFalse(redaction.redact(`${b}${secret}${b}`).includes(secret))
    assert.isTrue(redaction.holdsSecret(`${b}${secret}${b}`))
  })

  const secrets = ["aabab-aab", "aab-secret", "bab-aab-long"]
  const Pieces = Schema.Array(Schema.Literals(["a", "b", "-", "aab", "-secret", "ab-aab-long", "aabab-", "x"]))

  it.prop("finds the same in pieces as in the full text, and shows no piece of it", [Pieces], ([pieces]) => {
    const redaction = Redaction.make(secrets)
    const streaming = Redaction.streaming(redaction)
    const shown = [...pieces.map(streaming.push), streaming.end()]
    assert.strictEqual(shown.join(""), redaction.redact(pieces.join("")))
    assert.isFalse(redaction.holdsSecret(shown.join("")))
    assert.strictEqual(streaming.end(), "")
  })

  it("delays no text if there is no secret", () => {
    assert.strictEqual(Redaction.streaming(Redaction.none).push("aab"), "aab")
  })
})
