/** The profile for macOS by its rules: parsed and evaluated, it decides like its specification, and no more. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { above, allows, profile, type Specification } from "../src/SeatbeltProfile.ts"
import { decide, parse, rulesOf } from "./SeatbeltRules.ts"

// Few names, so that random paths meet, and those with a meaning in a profile or a regular expression.
const Name = Schema.Literals(["a", "b", "A", ".git", "objects", 'q"q', "b\\s", "p(q)", "x.y", "tmp_obj_x", "0f"])
const Path = Schema.Array(Name).check(Schema.isMinLength(1), Schema.isMaxLength(4))
const Paths = Schema.Array(Path).check(Schema.isMaxLength(3))
const Given = Schema.Struct({
  roots: Schema.Array(Schema.Struct({ path: Path, writable: Schema.Boolean })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(3)
  ),
  closed: Paths,
  growing: Paths,
  hidden: Paths,
  readable: Paths,
  port: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })))
})

const at = (names: ReadonlyArray<string>): string => `/${names.join("/")}`

const specificationOf = ({ closed, growing, hidden, port, readable, roots }: typeof Given.Type): Specification => ({
  readable: readable.map(at),
  roots: roots
    .map(({ path, writable }) => ({ path: at(path), writable }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  closed: closed.map(at),
  growing: growing.map(at),
  hidden: hidden.map(at),
  temporary: "/private/tmp/own",
  proxyPort: port
})

describe("SeatbeltProfile", () => {
  it.effect.prop(
    "decides about any path as its specification does",
    [Given, Schema.Array(Path).check(Schema.isMinLength(4))],
    ([input, paths]) =>
      Effect.sync(() => {
        const specification = specificationOf(input)
        const rules = rulesOf(profile(specification))
        const own = [...specification.closed, ...specification.hidden]
        const special = [...own, ...own.map((one) => one.toUpperCase()), "/private/tmp/own/x", "/"]
        for (const path of [...paths.map(at), ...special, ...special.map((one) => `${one}/below`)]) {
          assert.strictEqual(decide(rules, "file-read-data", path), allows(specification, "read", path), `read ${path}`)
          const isTemporaryObject = /\/\.?tmp_[^/]*$/u.test(path)
          if (isTemporaryObject && specification.growing.some((one) => path.startsWith(`${one}/`))) continue
          assert.strictEqual(
            decide(rules, "file-write-data", path),
            allows(specification, "write", path),
            `write ${path}`
          )
        }
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect.prop("lets no path with rules of its own be moved away with its parent directories", [Given], ([input]) =>
    Effect.sync(() => {
      const specification = specificationOf(input)
      const rules = rulesOf(profile(specification))
      for (const path of [...specification.closed, ...specification.hidden, ...specification.growing]) {
        for (const directory of [path, ...above(path)]) {
          if (directory.startsWith("/private/tmp/own")) continue
          assert.isFalse(decide(rules, "file-write-unlink", directory), directory)
        }
        assert.isFalse(decide(rules, "file-link", path))
      }
    })
  )

  it("grants only the paths that it names", () => {
    const text = profile({
      readable: ["/usr"],
      roots: [{ path: "/Users/me/project", writable: true }],
      closed: ["/Users/me/project/.bough"],
      growing: ["/Users/me/project/.git/objects"],
      hidden: ["/Users/me/project/.env"],
      temporary: "/private/tmp/own",
      proxyPort: 4711
    })
    const rules = rulesOf(text)
    for (const path of [
      "/Users/me/.ssh/id_rsa",
      "/Users/me",
      "/private/etc/passwd",
      "/Users/me/project2/x",
      "/private/tmp/x"
    ]) {
      for (const operation of ["file-read-data", "file-write-data", "file-write-create", "process-exec"]) {
        assert.isFalse(decide(rules, operation, path), `${operation} ${path}`)
      }
    }
    // Parent directories can be traversed, but not listed.
    assert.isTrue(decide(rules, "file-read-metadata", "/Users/me"))
    for (const operation of [
      "file-link",
      "file-write-setugid",
      "mach-lookup",
      "mach-register",
      "network-bind",
      "network-outbound",
      "iokit-open",
      "system-socket",
      "appleevent-send",
      "job-creation",
      "process-info-pidinfo",
      "signal"
    ]) {
      assert.isFalse(decide(rules, operation, "/Users/me/project/x"), operation)
    }
    // New entries in another spelling, on a disk that equates capitals with small letters.
    for (const path of [".BOUGH", ".Bough/config", ".ENV"]) {
      assert.isFalse(decide(rules, "file-write-create", `/Users/me/project/${path}`), path)
    }
    assert.isTrue(decide(rules, "file-write-create", "/Users/me/project/.boughs"))
    assert.isFalse(decide(rules, "file-read-data", "/Users/me/project/.Env"))
    // The service would send requests to addresses that a certificate names.
    assert.notInclude(text, "trustd")
    for (const filter of ['sysctl-name-prefix "kern.procargs"', 'sysctl-name-prefix "kern.proc.all"']) {
      assert.include(text.slice(text.indexOf("(allow sysctl-read)")), filter)
    }
    assert.deepStrictEqual(
      rulesOf(text).filter(
        ({ filters, operations }) => operations.some((one) => one.startsWith("ipc-posix-shm")) && filters.length === 0
      ),
      []
    )
    const object = (name: string) => `/Users/me/project/.git/objects/${name}`
    assert.isTrue(decide(rules, "file-write-create", object("0f/1234")))
    assert.isTrue(decide(rules, "file-write-unlink", object("0f/tmp_obj_1234")))
    for (const operation of ["file-write-data", "file-write-unlink", "file-write-mode"]) {
      assert.isFalse(decide(rules, operation, object("0f/1234")), operation)
    }
    assert.deepStrictEqual(
      parse(text).filter((one) => String(one).startsWith("allow,network")),
      [["allow", "network-outbound", ["remote", "tcp", '"localhost:4711"']]]
    )
    assert.deepStrictEqual(parse(text).slice(0, 2), [
      ["version", "1"],
      ["deny", "default"]
    ])
  })
})
