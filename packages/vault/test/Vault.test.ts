/** The vault over real files and the real age format; the platform's keyring is a map. */
import { ChildProcess } from "@bough/testing"
import { assert, describe, it } from "@effect/vitest"
import { Decrypter } from "age-encryption"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Copies, EntryName, type Keyring, knownParts, Vault } from "../src/index.ts"

const start = ChildProcess.startBeside(import.meta.url)

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(join(tmpdir(), "bough-vault-"))),
  (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
)

const ring = () => {
  const keys = new Map<string, string>()
  const keyring: Keyring.Keyring = {
    read: (account) => Effect.sync(() => keys.get(account) ?? null),
    write: (account, key) => Effect.sync(() => void keys.set(account, key))
  }
  return { keys, keyring }
}

const open = (directory: string, options: Partial<Vault.VaultOptions> = {}): Vault.Vault =>
  Vault.make({ directory, passphrase: () => Effect.succeed(null), keyring: ring().keyring, ...options })

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8")
const textOf = (value: Uint8Array): string => Buffer.from(value).toString("utf8")
const value = "npm_4f7c1b2a9d"

const allText = (directory: string): string =>
  fs
    .readdirSync(directory)
    .map((name) => fs.readFileSync(join(directory, name), "latin1"))
    .join("\n")

describe("Vault", () => {
  it.live("keeps entries from one program to the next, in private files without their plain text", () =>
    Effect.gen(function* () {
      const directory = join(yield* folder, "vault")
      assert.isTrue(yield* open(directory).set("NPM_TOKEN", bytes(value), null))
      assert.isFalse(yield* open(directory).set("NPM_TOKEN", bytes(`${value}2`), null))
      assert.strictEqual(textOf(yield* open(directory).get("NPM_TOKEN")), `${value}2`)
      const [listed] = yield* open(directory).list
      assert.deepStrictEqual([listed?.name, listed?.bytes], ["NPM_TOKEN", value.length + 1])
      assert.strictEqual(fs.statSync(directory).mode & 0o777, 0o700)
      for (const name of fs.readdirSync(directory)) {
        assert.strictEqual(fs.statSync(join(directory, name)).mode & 0o777, 0o600, name)
      }
      for (const spelling of [
        value,
        Buffer.from(value).toString("base64"),
        Buffer.from(value).toString("hex"),
        "NPM_TOKEN"
      ]) {
        assert.notInclude(allText(directory), spelling)
      }
    })
  )

  it.live("is an age file that its key opens", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* open(directory).set("NPM_TOKEN", bytes(value), null)
      const { entries } = JSON.parse(fs.readFileSync(join(directory, "vault.json"), "utf8")) as {
        readonly entries: string
      }
      const decrypter = new Decrypter()
      decrypter.addIdentity(fs.readFileSync(join(directory, "key"), "utf8").trim())
      const text = yield* Effect.promise(() => decrypter.decrypt(Buffer.from(entries, "base64"), "text"))
      assert.include(text, Buffer.from(value).toString("base64"))
    })
  )

  it.live("loses no entry when programs save at the same time", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const names = ["A_KEY", "B_KEY", "C_KEY", "D_KEY"]
      yield* Effect.forEach(names, (name) => open(directory).set(name, bytes(`${name}-${value}`), null), {
        concurrency: "unbounded",
        discard: true
      })
      assert.deepStrictEqual(
        (yield* open(directory).list).map(({ name }) => name),
        names
      )
    })
  )

  it.live(
    "opens with its passphrase alone, and moves its key to the configured place",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const { keyring, keys } = ring()
        const knowing = (text: string) => open(directory, { keyring, passphrase: () => Effect.succeed(text) })
        yield* knowing("correct horse").set("NPM_TOKEN", bytes(value), "passphrase")
        assert.isFalse(fs.existsSync(join(directory, "key")))
        assert.match((yield* Effect.flip(open(directory).get("NPM_TOKEN"))).message, /needs its passphrase/)
        assert.match((yield* Effect.flip(knowing("wrong horse").get("NPM_TOKEN"))).message, /does not open the vault/)
        yield* knowing("correct horse").set("OTHER_TOKEN", bytes(value), "keyring")
        assert.strictEqual(keys.size, 1)
        assert.strictEqual(textOf(yield* open(directory, { keyring }).get("NPM_TOKEN")), value)
        assert.match((yield* Effect.flip(open(directory).get("NPM_TOKEN"))).message, /keyring does not hold/)
        assert.strictEqual(yield* open(directory).keySource, "keyring")
      }),
    thoroughOnly
  )

  it.live("never replaces a vault whose key is missing, or that is damaged", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* open(directory).set("NPM_TOKEN", bytes(value), null)
      const before = fs.readFileSync(join(directory, "vault.json"), "utf8")
      const key = fs.readFileSync(join(directory, "key"), "utf8")
      fs.rmSync(join(directory, "key"))
      assert.match(
        (yield* Effect.flip(open(directory).set("B_KEY", bytes(value), null))).message,
        /key of the vault is missing/
      )
      fs.writeFileSync(join(directory, "key"), key)
      fs.writeFileSync(join(directory, "vault.json"), "{")
      assert.match((yield* Effect.flip(open(directory).set("B_KEY", bytes(value), null))).message, /damaged/)
      assert.strictEqual(fs.readFileSync(join(directory, "vault.json"), "utf8"), "{")
      fs.writeFileSync(join(directory, "vault.json"), before)
      assert.strictEqual(textOf(yield* open(directory).get("NPM_TOKEN")), value)
    })
  )

  it.live("lists the existing entries if a missing one is requested", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* open(directory).set("NPM_TOKEN", bytes(value), null)
      assert.match(
        (yield* Effect.flip(open(directory).get("toString"))).message,
        /no entry "toString"; it holds NPM_TOKEN/
      )
      assert.match((yield* Effect.flip(open(directory).remove("X"))).message, /no entry "X"/)
      yield* open(directory).remove("NPM_TOKEN")
      assert.match((yield* Effect.flip(open(directory).get("NPM_TOKEN"))).message, /it is empty/)
      assert.match((yield* Effect.flip(open(directory).set("A", bytes("short"), null))).message, /at least 8/)
      assert.match(
        (yield* Effect.flip(open(directory).set("A", new Uint8Array(70_000), null))).message,
        /at most 65536/
      )
    })
  )

  it.each([
    "npm_token",
    "1A",
    "",
    "A-B",
    "LD_PRELOAD",
    "PATH",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
    "NODE_OPTIONS",
    "BOUGH_HOME"
  ])("has no entry called %s", (name) => assert.isTrue(Result.isFailure(EntryName.check(name))))

  it("recognises a private file by its lines, and bytes by their spellings", () => {
    const file = ["-----BEGIN PRIVATE KEY-----", "MIGHAgEAMBMGByqGSM49", "{", "export TOKEN='abcdefgh-1234'", ""].join(
      "\n"
    )
    const parts = knownParts(bytes(file))
    assert.includeMembers([...parts], [file, "MIGHAgEAMBMGByqGSM49", "abcdefgh-1234"])
    assert.notIncludeMembers([...parts], ["{", "-----BEGIN PRIVATE KEY-----"])
    assert.deepStrictEqual(knownParts(new Uint8Array([255, 254, 0, 1])), ["//4AAQ==", "fffe0001"])
  })

  it.live(
    "lists the copies of programs that add some at the same time",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const children = yield* Effect.forEach(["A", "B", "C"], (name) => start("addCopies", [directory, name, "8"]))
        for (const child of children) assert.strictEqual(yield* child.line, "added", child.complaints())
        assert.lengthOf(Copies.make(directory).list(), 24)
      }),
    thoroughOnly
  )

  it.live("is changed by one program after another, also if one takes long to choose a passphrase or is killed", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* open(directory).set("FIRST_KEY", bytes(value), null)
      const slow = yield* start("slowSet", [directory])
      assert.strictEqual(yield* slow.line, "asked", slow.complaints())
      const second = yield* Effect.forkChild(open(directory).set("OTHER_KEY", bytes(value), null))
      yield* Effect.sleep(100)
      assert.deepStrictEqual(
        (yield* open(directory).list).map(({ name }) => name),
        ["FIRST_KEY"]
      )
      yield* slow.kill
      assert.isTrue(yield* Fiber.join(second))
      assert.deepStrictEqual(
        (yield* open(directory).list).map(({ name }) => name),
        ["FIRST_KEY", "OTHER_KEY"]
      )
    })
  )

  it.live("lists copies for every program, and drops those that are deleted", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const [one, other] = [Copies.make(directory), Copies.make(directory)]
      const places = ["a", "b"].map((name) => join(directory, name))
      fs.writeFileSync(places[0] ?? "", "")
      yield* one.add({ name: "A_KEY", path: places[0] ?? "" })
      assert.isTrue(other.has(places[0] ?? ""))
      fs.rmSync(places[0] ?? "")
      yield* other.add({ name: "A_KEY", path: places[1] ?? "" })
      assert.deepStrictEqual(
        one.list().map(({ path }) => path),
        [places[1]]
      )
    })
  )
})
