/** Tells a token from a commit, both of them hexadecimal digits. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { notes } from "../../../bench/src/retrieval/Corpus.ts"
import { SecretPatterns } from "../src/index.ts"

/** `#` stands for the token. */
const secrets = [
  "the npm token is #",
  "token #",
  "GitHub token: #",
  "The deploy token is now # until May",
  "Ann's API key: #",
  "api_key=#",
  "apiKey: '#'",
  "accessToken `#`",
  "my key #",
  "SENTRY_AUTH_TOKEN #",
  "export TWILIO_AUTH_TOKEN=#",
  "git clone with the personal access token # of the bot",
  "We rotated the token to # on Monday",
  "the old secret was replaced by #",
  "password #",
  "log in as ann with the password #",
  "Das Passwort lautet #",
  "Kennwort: #",
  "credentials: #",
  "Weights & Biases login #",
  "wandb #",
  "Datadog: #",
  "SonarQube #",
  "Twilio is #",
  "Use # as the deploy token",
  "use # as password for the staging server",
  "# is our API key",
  "# is the new Datadog token for May",
  "# was the secret.",
  "webhook secret → #",
  "auth => #",
  "tokens: #, #",
  "The tokens # and # are for the two bots",
  "For the commit bot: token #"
]

const ordinary = [
  "#",
  "commit #",
  "commit # mended the token",
  "commit: #",
  "see #",
  "Reverted # and #",
  "fixed in # on GitHub",
  "GitHub: #",
  "https://example.org/owner/name/commit/#",
  "owner/name@#",
  "# Refresh the token before it ends",
  "# mended how the token is read",
  "# is the commit that broke the token",
  "# is the token commit",
  "# is the first with a token",
  "# is the fix of the password",
  "# as of Monday; ask for a token",
  "#, the change of the API key",
  "# was before the key was changed",
  "Refresh the token (#)",
  "The token bug came with #",
  "Tokens are read since commit #",
  "the release branch is at #",
  "sha256:#",
  "sha1 # of the archive",
  "md5 of the key file: see #",
  "The checksum is #",
  "the password hash #",
  "token id #",
  "key fingerprint #",
  "our GPG key #",
  "PGP key: #",
  "the public key is #",
  "cache key #",
  "object key: #",
  "primary key #",
  "the page token is beside #",
  "monkey #",
  "docker image #",
  "commit # is the token",
  "Look for the variables that hold secrets #",
  "Name every duplicate key #",
  "src/auth #",
  "secretary # called"
]

const digits = (least: number, most: number) =>
  Arbitrary.schema(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^(?:[0-9a-f]{${least},${most}}|[0-9A-F]{${least},${most}})$`, "u"))
    )
  )
const Sentence = (sentences: ReadonlyArray<string>) => Schema.Literals(sentences)

/** Text that may surround a sentence. */
const frames = ["~", "Noted: ~", "- ~", "> ~", "First line.\n~\nLast line.", "~ ", "(as of May) ~"] as const
const Frame = Schema.Literals(frames)

describe("HexTokens", () => {
  it.prop(
    "redacts a token that is named as one, with any digits, and nothing else",
    [Sentence(secrets), digits(32, 64), Frame],
    ([sentence, token, frame]) => {
      const text = frame.replace("~", () => sentence)
      const { hidden, text: left } = SecretPatterns.redact(text.replaceAll("#", token))
      assert.lengthOf(hidden, 1, text)
      assert.strictEqual(left, text.replaceAll("#", `[redacted: ${hidden[0]}]`))
    },
    { arbitrary: { runs: 400 } }
  )

  it.prop(
    "leaves commits and digests, in full and abbreviated, also of keys and beside tokens",
    [Sentence(ordinary), digits(7, 64), Frame],
    ([sentence, hash, frame]) => {
      const text = frame.replace("~", () => sentence).replaceAll("#", hash)
      assert.deepStrictEqual(SecretPatterns.redact(text), { text, hidden: [] })
    },
    { arbitrary: { runs: 400 } }
  )

  it("finds no secret in any of 2,160 everyday notes", () => {
    assert.lengthOf(notes, 2160)
    assert.deepStrictEqual(
      notes.map(({ text }) => text).filter((text) => SecretPatterns.redact(text).hidden.length > 0),
      []
    )
  })
})
