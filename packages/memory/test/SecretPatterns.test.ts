/** Secrets are put together here, so that a search for leaked ones finds none. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { SecretPatterns } from "../src/index.ts"

const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(8)
const drawn = "nBP3hvJXbpDR5jxLZdrFT7lzN1ftHV9q".repeat(8)
const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIE${drawn.slice(0, 60)}\n-----END ${kind}-----`

/** In full: no part of it may be left. */
const secrets: Readonly<Record<string, string>> = {
  "AWS key": `AKIA${"A2".repeat(8)}`,
  Anthropic: `sk-ant-api03-${drawn.slice(0, 93)}AA`,
  Atlassian: `ATATT3xFf${drawn.slice(0, 150)}`,
  Databricks: `dapi${hex.slice(0, 32)}`,
  DigitalOcean: `dop_v1_${hex.slice(0, 64)}`,
  "Discord bot": `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${drawn.slice(0, 38)}`,
  "Discord webhook": `https://discord.com/api/webhooks/123456789012345678/${drawn.slice(0, 68)}`,
  Docker: `dckr_pat_${drawn.slice(0, 27)}`,
  "Entra client secret": `abc8Q~${drawn.slice(0, 34)}`,
  GitHub: `ghp_${drawn.slice(0, 36)}`,
  "GitHub, fine-grained": `github_pat_11ABCDEFG0${drawn.slice(0, 11)}_${drawn.slice(0, 59)}`,
  GitLab: `glpat-${drawn.slice(0, 20)}`,
  "GitLab runner": `glrt-${drawn.slice(0, 20)}`,
  "Google API": `AIza${drawn.slice(0, 35)}`,
  "Google OAuth": `GOCSPX-${drawn.slice(0, 28)}`,
  "Google access": `ya29.${drawn.slice(0, 120)}`,
  Grafana: `glsa_${drawn.slice(0, 32)}_${hex.slice(0, 8)}`,
  Groq: `gsk_${drawn.slice(0, 52)}`,
  "Hugging Face": `hf_${drawn.slice(0, 34)}`,
  "JSON web token": `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${drawn.slice(0, 43)}`,
  Mailgun: `key-${hex.slice(0, 32)}`,
  OpenAI: `sk-${drawn.slice(0, 48)}`,
  "OpenAI project": `sk-proj-${drawn.slice(0, 74)}T3BlbkFJ${drawn.slice(0, 74)}`,
  OpenRouter: `sk-or-v1-${hex.slice(0, 64)}`,
  PGP: pem("PGP PRIVATE KEY BLOCK"),
  PyPI: `pypi-AgEIcHlwaS5vcmc${drawn.slice(0, 150)}`,
  RSA: pem("RSA PRIVATE KEY"),
  SSH: pem("OPENSSH PRIVATE KEY"),
  SendGrid: `SG.${drawn.slice(0, 22)}.${drawn.slice(0, 43)}`,
  Shopify: `shpat_${hex.slice(0, 32)}`,
  "Slack app": `xapp-1-A012345-123456789-${hex.slice(0, 64)}`,
  "Slack bot": `xoxb-123456789012-1234567890123-${drawn.slice(0, 24)}`,
  "Slack webhook": `https://hooks.slack.com/services/T00000000/B00000000/${drawn.slice(0, 24)}`,
  Stripe: `sk_live_${drawn.slice(0, 24)}`,
  "Stripe webhook": `whsec_${drawn.slice(0, 32)}`,
  "Telegram bot": `123456789:AA${drawn.slice(0, 33)}`,
  Terraform: `${drawn.slice(0, 14)}.atlasv1.${drawn.slice(0, 60)}`,
  Twilio: `SK${hex.slice(0, 32)}`,
  Vault: `hvs.${drawn.slice(0, 90)}`,
  age: `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".slice(0, 30)}`,
  npm: `npm_${drawn.slice(0, 36)}`,
  xAI: `xai-${drawn.slice(0, 80)}`
}

/** The text before it, the secret, the text after it. */
const named: ReadonlyArray<readonly [string, string, string]> = [
  ["password: ", "hunter2222", ""],
  ["password=", "butter", ", user=ann"],
  ['{"password": ', '"correct horse battery staple"', "}"],
  ["The password is ", "hunter2222", " and the router is grey"],
  ["The password is ", "swordfish", ""],
  ["his password for the wifi is ", "hunter2222", ""],
  ["password (staging): ", "hunter2222", ""],
  ["my password was changed to ", "hunter2222", " on Monday"],
  ["login bob / password ", "hunter2222", ""],
  ["psql --password ", "hunter2222", " -h db"],
  ["DB_PASSWORD=", "hunter2222", ""],
  ["PGPASSWORD=", "hunter2222", " psql"],
  ["pwd=", "hunter2222", ""],
  ["the passphrase is ", "correct-horse", ""],
  ["passphrase: ", "correct horse battery staple", ""],
  ["seed phrase: ", "abandon ability able about above absent absorb abstract absurd abuse access acid", ""],
  ["mnemonic: ", "abandon ability able about above absent absorb abstract absurd abuse access acid", ""],
  ["The passcode is ", "4711-0815", ""],
  ["PIN: ", "4711", ""],
  ["Das Passwort lautet ", "hunter2222", ""],
  ["mot de passe : ", "hunter2222", ""],
  ["contraseña: ", "hunter2222", ""],
  ["пароль: ", "hunter2222", ""],
  ["postgres://app:", "s3cretpw", "@db/main"],
  ["redis://:", "verysecret", "@cache:6379/0"],
  ["API_KEY=", "abcdef123456", ""],
  ["the api key is ", drawn.slice(0, 32), ""],
  ["x-api-key: ", drawn.slice(0, 32), ""],
  ["aws_secret_access_key = ", `${drawn.slice(0, 38)}/+`, ""],
  ["aws_session_token=", drawn.slice(0, 200), ""],
  ["//registry.example/:_authToken=", `0${hex.slice(0, 35)}`, ""],
  ["AccountName=x;AccountKey=", `${drawn.slice(0, 86)}==`, ";EndpointSuffix=core.windows.net"],
  ["https://x.example/c?sv=2022&sig=", `${drawn.slice(0, 40)}%3D`, ""],
  ["Authorization: Basic ", "dXNlcjpodW50ZXIyMjIy", ""],
  ["the deploy token ", hex.slice(0, 40), " of the bot"],
  ["use ", hex.slice(0, 40), " as the deploy token"],
  ["Authorization: token ", hex.slice(0, 40), ""],
  ["curl -H 'Authorization: Bearer ", drawn.slice(0, 40), "'"]
]

const ordinary = [
  "The password is kept in the vault",
  "Passwords are rotated monthly",
  "the password is always asked twice",
  "The user said the password is wrong",
  "The password for the wifi is on the fridge",
  "password is case-sensitive",
  "password is hashed with argon2id",
  "password: string",
  "password: required",
  "password: process.env.PASSWORD",
  "password=$DB_PASSWORD",
  "password: <your password>",
  "password: ********",
  "The passphrase is four words long",
  "passphrase: see the sealed envelope",
  "client_secret: ${CLIENT_SECRET}",
  "client secret is in Vault at kv/app/prod",
  "The API key is in the vault",
  "access token is refreshed automatically",
  "auth token: short-lived",
  "Her secret: butter and patience",
  "the secret of good bread is time",
  "set secret=false",
  "token limits are 4096",
  "max tokens: 4096",
  "pass: the exam was passed with 90%",
  "pin the version: 1.2.3",
  "PWD=/home/ann",
  "passwd: /etc/passwd",
  "bearer certificates-are-a-thing",
  "Use sk-learn for the models",
  "branch sk-4711-fix-the-login-page",
  "foreign key pk_user_account_settings_id",
  "task-management-system-for-2-teams-of-the-harbour",
  "npm_config_registry is set",
  "see https://example.org/a:b@c",
  "https://medium.com/@author/post",
  "git@example.com:owner/repository.git",
  "private key: id_ed25519",
  "the private key is server-2024.pem",
  "encryption key: AES-256-GCM",
  "password: 1Password",
  "Passwort: siehe Tresor",
  "boarding pass: QX4711B12",
  "access token: 15-minute lifetime",
  "encryption key: 4096-bit RSA",
  "mot de passe : demander à Anna",
  "mnemonic: every good boy does fine",
  `commit ${hex.slice(0, 40)} mended it`,
  `sha256:${hex.slice(0, 64)}`,
  "note-123e4567-e89b-12d3-a456-426614174000",
  pem("PUBLIC KEY"),
  pem("CERTIFICATE"),
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHh0"
]

describe("SecretPatterns", () => {
  it.each(Object.entries(secrets))("finds all of a secret with a known form: %s", (_, secret) => {
    const { hidden, text } = SecretPatterns.redact(`note: ${secret} end`)
    assert.lengthOf(hidden, 1)
    assert.strictEqual(text, `note: [redacted: ${hidden[0]}] end`)
  })

  it.each(named)(
    "finds the value that is named as a secret, and leaves the text around it: %s",
    (before, secret, after) => {
      const { hidden, text } = SecretPatterns.redact(`${before}${secret}${after}`)
      assert.lengthOf(hidden, 1)
      assert.isTrue(text.startsWith(before.trimEnd()) && text.endsWith(after), text)
      assert.notInclude(text, secret)
    }
  )

  it("finds the private key in a service account's JSON", () => {
    const account = JSON.stringify({ type: "service_account", private_key: pem("PRIVATE KEY"), client_email: "a@b" })
    const { hidden, text } = SecretPatterns.redact(account)
    assert.deepStrictEqual(hidden, ["private key"])
    assert.deepStrictEqual(JSON.parse(text).client_email, "a@b")
  })

  it.each(ordinary)("leaves text that is not a secret: %s", (text) => {
    assert.deepStrictEqual(SecretPatterns.redact(text), { text, hidden: [] })
  })

  const Piece = Schema.Literals([
    ...Object.values(secrets),
    ...named.map((parts) => parts.join("")),
    ...ordinary,
    "password: ",
    "\n"
  ])
  it.prop(
    "finds nothing more in its redacted text, and leaves no secret with a known form",
    [Schema.Array(Piece)],
    ([pieces]) => {
      const { text } = SecretPatterns.redact(pieces.join("\n"))
      assert.deepStrictEqual(SecretPatterns.redact(text), { text, hidden: [] })
      for (const secret of Object.values(secrets)) assert.notInclude(text, secret)
    },
    { arbitrary: { runs: 300, size: 20 } }
  )
})
