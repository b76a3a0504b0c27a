/**
 * Tests of the dependencies between packages, and of the parts of a package. A new package adds its line to `mayUse`.
 */
import { assert, describe, it } from "@effect/vitest"
import { apps, dependencies, files, ownDependencies, type Package, packages, peersOf, text } from "./repository.ts"

const contract = ["protocol", "text", "tool"]
const deciding = [...contract, "policy", "dispatch"]

const mayUse = new Map<string | RegExp, ReadonlyArray<string>>([
  ["protocol", []],
  ["disk", []],
  ["thread", []],
  ["tui", []],
  ["text", ["protocol"]],
  ["tool", ["protocol", "text"]],
  ["policy", ["protocol"]],
  ["dispatch", [...contract, "policy"]],
  ["receipts", ["protocol"]],
  ["runtime", deciding],
  ["tool-formats", deciding],
  // The compiler itself does not use the contract; its output does.
  ["tool-compiler", []],
  // The package itself does not use the contract and the command; the packs that it writes do.
  ["create-bough-pack", []],
  ["pack-web", [...contract, "thread"]],
  ["pack-code", [...contract, "thread"]],
  [/^pack-/, contract],
  ["workspace", [...contract, "disk"]],
  ["vault", ["disk"]],
  ["snapshots", ["tool", "disk"]],
  ["sandbox", contract],
  ["network", contract],
  ["mcp", contract],
  ["language-servers", contract],
  ["memory", [...contract, "disk"]],
  ["embedding-static", []],
  // Pages use it: schemas alone.
  ["gateway-api", ["protocol"]],
  // Programs without Effect use it.
  ["client", []],
  ["offline-planner", ["runtime"]],
  ["models", [...contract, "runtime", "offline-planner"]],
  ["store-sqlite", [...contract, "runtime", "disk"]],
  ["sdk", [...deciding, "workspace", "sandbox", "network", "memory", "runtime", "store-sqlite"]],
  ["predictor", [...deciding, "runtime", "disk", "models", "sdk"]],
  ["bridges", ["protocol", "tool", "sdk", "tool-formats", "mcp"]],
  ["testing", [...deciding, "runtime", "disk"]],
  // The host joins the packages below the apps; the apps choose the store and the packs.
  [
    "host",
    [
      ...deciding,
      "runtime",
      "disk",
      "workspace",
      "sandbox",
      "snapshots",
      "network",
      "mcp",
      "language-servers",
      "memory",
      "embedding-static",
      "models",
      "vault"
    ]
  ]
])

const ruleOf = ({ name }: Package): ReadonlyArray<string> | undefined =>
  [...mayUse].find(([key]) => (typeof key === "string" ? key === name : key.test(name)))?.[1]

interface Project {
  readonly extends?: string
  readonly compilerOptions?: { readonly plugins?: ReadonlyArray<{ readonly name: string }> }
  readonly references?: ReadonlyArray<{ readonly path: string }>
}

const projectOf = (folder: string): Project => JSON.parse(text(`${folder}/tsconfig.json`)) as Project

const referencesOf = (folder: string): ReadonlyArray<string> =>
  (projectOf(folder).references ?? []).map(({ path }) => path.replace(/^.*\//, "")).toSorted()

const members = [...packages, ...apps]

/** Packages that do not use Effect: the client of programs without it, and build tools. */
const withoutEffect: ReadonlySet<string> = new Set(["client", "create-bough-pack", "tool-compiler"])

/** The violations of a rule, each line headed by the package. */
const offences = (
  among: ReadonlyArray<Package>,
  of: (member: Package) => ReadonlyArray<string>
): ReadonlyArray<string> => among.flatMap((member) => of(member).map((offence) => `${member.folder}: ${offence}`))

const filesOf = ({ folder }: Package): ReadonlyArray<string> => files.filter((file) => file.startsWith(`${folder}/`))

const within = ({ folder }: Package, file: string): string => file.slice(folder.length + 1)

describe("architecture", () => {
  it("sees packages and apps", () => {
    assert.isAbove(packages.length, 10)
    assert.isAtLeast(apps.length, 1)
  })

  it("lets a package depend only on packages below it", () => {
    assert.deepStrictEqual(
      offences(packages, (member) => {
        const rule = ruleOf(member)
        return rule === undefined
          ? ["no line in mayUse"]
          : ownDependencies(member).filter((name) => !rule.includes(name))
      }),
      []
    )
  })

  it("lets an app use every package but the test kit, and no app", () => {
    const usable = new Set(packages.map(({ name }) => name).filter((name) => name !== "testing"))
    assert.deepStrictEqual(
      offences(apps, (member) => ownDependencies(member).filter((name) => !usable.has(name))),
      []
    )
  })

  it("has no dependency that no source names, and that is not a peer of another one", () => {
    const built = (member: Package) => filesOf(member).filter((file) => /^(src|build)\//.test(within(member, file)))
    const names = (member: Package, dependency: string) =>
      built(member).some((file) => new RegExp(`"${dependency}["/]`).test(text(file)))
    assert.deepStrictEqual(
      offences(members, (member) => {
        // Effect is a peer of every package, as the rule below says.
        const all = dependencies(member).filter((dependency) => dependency !== "effect")
        const peers = new Set(all.flatMap((dependency) => peersOf(member, dependency)))
        return all.filter((dependency) => !peers.has(dependency) && !names(member, dependency))
      }),
      []
    )
  })

  it("compiles a package after exactly the packages that it depends on", () => {
    assert.deepStrictEqual(
      members.map((member) => [member.name, referencesOf(member.folder)]),
      members.map((member) => [member.name, ownDependencies(member)])
    )
  })

  it("compiles every package and app from the root", () => {
    assert.deepStrictEqual(referencesOf("."), members.map(({ folder }) => folder.replace(/^.*\//, "")).toSorted())
  })

  it("checks every package and app with Effect's diagnostics", () => {
    // Without the plugin they pass and check nothing.
    assert.include(projectOf(".").compilerOptions?.plugins?.map(({ name }) => name) ?? [], "@effect/language-service")
    assert.deepStrictEqual(
      offences(members, ({ folder }) => {
        const { compilerOptions, extends: base } = projectOf(folder)
        return base === "../../tsconfig.json" && compilerOptions?.plugins === undefined ? [] : ["settings of its own"]
      }),
      []
    )
  })

  it("leaves the choice of effect to the user of a package", () => {
    assert.deepStrictEqual(
      packages
        .filter(({ name }) => !withoutEffect.has(name))
        .filter(({ manifest }) => !manifest.peerDependencies?.effect || manifest.dependencies?.effect)
        .map(({ name }) => name),
      []
    )
  })

  it("closes the internal modules of a package", () => {
    assert.deepStrictEqual(
      packages.filter(({ manifest }) => manifest.exports?.["./internal/*"] !== null).map(({ name }) => name),
      []
    )
  })

  it.each(["docs/architecture.md", "docs/packages.md"])("names every package and app in %s", (document) => {
    const described = text(document)
    assert.deepStrictEqual(
      members.map(({ folder }) => folder).filter((folder) => !described.includes(`](../${folder})`)),
      []
    )
  })

  it("gives each package and app a README, sources and tests", () => {
    const parts = [/^README\.md$/, /^src\/.*\.ts$/, /^test\/.*\.test\.ts$/]
    assert.deepStrictEqual(
      offences(members, (member) => {
        const own = filesOf(member).map((file) => within(member, file))
        return parts.filter((part) => !own.some((file) => part.test(file))).map(String)
      }),
      []
    )
  })
})
