/**
 * The directories of a PATH that are shown: programs with their dependencies, and nothing of the home directory beside
 * them.
 */
import { assert, describe, it } from "@effect/vitest"
import { contains, packagesOf, toolchainsOf, withDirectories } from "../src/Toolchains.ts"

const home = "/home/me"
const shown = (...entries: ReadonlyArray<string>) => toolchainsOf(entries, home).directories

describe("Toolchains", () => {
  it("skips directories that the system shows anyway", () => {
    assert.deepStrictEqual(shown("/usr/bin", "/usr/local/bin", "/usr", "/bin", "/sbin", "/nix/store/x/bin"), [])
  })

  it("shows a directory of programs alone, not its neighbours", () => {
    assert.deepStrictEqual(shown(`${home}/.local/bin`, `${home}/project/bin`, "/srv/app/bin", "/opt/bin"), [
      `${home}/.local/bin`,
      `${home}/project/bin`,
      "/srv/app/bin",
      "/opt/bin"
    ])
  })

  it("shows an installation below /opt completely", () => {
    assert.deepStrictEqual(shown("/opt/jdk/bin", "/opt/jdk/bin"), ["/opt/jdk"])
  })

  it("shows a version manager completely and tells programs where it is", () => {
    assert.deepStrictEqual(toolchainsOf([`${home}/.pyenv/shims`, `${home}/.cargo/bin`], home), {
      directories: [`${home}/.pyenv`, `${home}/.rustup`, `${home}/.cargo/bin`],
      variables: { PYENV_ROOT: `${home}/.pyenv`, RUSTUP_HOME: `${home}/.rustup` }
    })
  })

  it("finds the packages to which programs link", () => {
    const packages = (entry: string) => packagesOf(entry, home)
    assert.deepStrictEqual(packages(`${home}/.npm-global/bin`), [`${home}/.npm-global/lib/node_modules`])
    assert.deepStrictEqual(packages("/srv/app/node_modules/.bin"), ["/srv/app/node_modules"])
    assert.include(packages(`${home}/.local/bin`), `${home}/.local/share/pipx/venvs`)
    assert.notInclude(packages(`${home}/.local/bin`), `${home}/.local/share/uv`)
    for (const entry of ["/usr/bin", "/bin", "/etc/bin", home, "/"]) assert.deepStrictEqual(packages(entry), [], entry)
    const bin = { directories: ["/srv/app/node_modules/.bin"], variables: {} }
    assert.deepStrictEqual(withDirectories(bin, ["/srv/app/node_modules"]).directories, ["/srv/app/node_modules"])
  })

  it("never shows the home directory or its parents, even if PATH names them", () => {
    assert.deepStrictEqual(shown(home, "/home", "/"), [])
  })

  it("shows no entire top-level directory and none without programs", () => {
    assert.deepStrictEqual(
      shown("/etc", "/srv", "/var", "/etc/x", "/proc/self/cwd", "/run/user/1000/x", "/dev/shm", "/sys/x"),
      []
    )
  })

  it("compares directories by complete names", () => {
    assert.deepStrictEqual(
      [
        contains("/a", "/a"),
        contains("/a", "/a/b"),
        contains("/a", "/ab"),
        contains("/", "/x"),
        contains("/a/b", "/a")
      ],
      [true, true, false, true, false]
    )
  })
})
