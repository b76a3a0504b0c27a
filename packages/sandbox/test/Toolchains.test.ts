/** What of a PATH is shown: programs with what they need, and nothing of the home directory beside them. */
import { assert, describe, it } from "@effect/vitest"
import { contains, toolchainsOf } from "../src/Toolchains.ts"

const home = "/home/me"
const shown = (...entries: ReadonlyArray<string>) => toolchainsOf(entries, home).directories

describe("Toolchains", () => {
  it("leaves out what the system shows anyway", () => {
    assert.deepStrictEqual(shown("/usr/bin", "/usr/local/bin", "/usr", "/bin", "/sbin", "/nix/store/x/bin"), [])
  })

  it("shows a directory of programs alone, not what is beside it", () => {
    assert.deepStrictEqual(shown(`${home}/.local/bin`, `${home}/project/bin`, "/srv/app/bin", "/opt/bin"), [
      `${home}/.local/bin`,
      `${home}/project/bin`,
      "/srv/app/bin",
      "/opt/bin"
    ])
  })

  it("shows an installation below /opt whole", () => {
    assert.deepStrictEqual(shown("/opt/jdk/bin", "/opt/jdk/bin"), ["/opt/jdk"])
  })

  it("shows a version manager whole and tells programs where it is", () => {
    assert.deepStrictEqual(toolchainsOf([`${home}/.pyenv/shims`, `${home}/.cargo/bin`], home), {
      directories: [`${home}/.pyenv`, `${home}/.rustup`, `${home}/.cargo/bin`],
      variables: { PYENV_ROOT: `${home}/.pyenv`, RUSTUP_HOME: `${home}/.rustup` }
    })
  })

  it("never shows the home directory or what holds it, even where PATH names it", () => {
    assert.deepStrictEqual(shown(home, "/home", "/"), [])
  })

  it("shows no whole top-level directory and no place where programs do not live", () => {
    assert.deepStrictEqual(
      shown("/etc", "/srv", "/var", "/etc/x", "/proc/self/cwd", "/run/user/1000/x", "/dev/shm", "/sys/x"),
      []
    )
  })

  it("takes a directory for inside another by whole names", () => {
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
