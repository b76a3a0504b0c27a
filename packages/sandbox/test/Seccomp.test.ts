/** The filter program as the kernel would run it, over every call that it knows, on each processor. */
import { assert, describe, it } from "@effect/vitest"
import { program } from "../src/Seccomp.ts"

interface Call {
  readonly call: number
  readonly machine: number
  readonly args: ReadonlyArray<number>
}

const allowed = "allowed"
const errors: Readonly<Record<number, string>> = { 1: "EPERM", 38: "ENOSYS", 97: "EAFNOSUPPORT" }

/** Runs a classic BPF program over one `struct seccomp_data`, as far as filters of this package use the language. */
const answerTo = (bytes: Uint8Array, { args, call, machine }: Call): string => {
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, call, true)
  data.setUint32(4, machine, true)
  for (const [at, value] of args.entries()) data.setBigUint64(16 + 8 * at, BigInt.asUintN(64, BigInt(value)), true)
  const lines = new DataView(bytes.buffer, bytes.byteOffset)
  let accumulator = 0
  for (let at = 0; ; at++) {
    const code = lines.getUint16(at * 8, true)
    const value = lines.getUint32(at * 8 + 4, true)
    const skip = (isTrue: boolean): number => lines.getUint8(at * 8 + (isTrue ? 2 : 3))
    if (code === 0x20) accumulator = data.getUint32(value, true)
    else if (code === 0x15) at += skip(accumulator === value)
    else if (code === 0x45) at += skip((accumulator & value) !== 0)
    else {
      assert.strictEqual(code, 0x06)
      return value === 0x7fff0000 ? allowed : (errors[value & 0xffff] ?? `${value}`)
    }
  }
}

const x64 = 0xc000003e
const arm64 = 0xc00000b7
const here = -100

/** Name, numbers on x64 and arm64 (null: missing there), arguments with `mode` in place of the mode bits. */
const modeCalls: ReadonlyArray<
  readonly [string, number | null, number | null, (mode: number) => ReadonlyArray<number>]
> = [
  ["chmod", 90, null, (mode) => [1, mode]],
  ["fchmod", 91, 52, (mode) => [3, mode]],
  ["fchmodat", 268, 53, (mode) => [here, 1, mode]],
  ["fchmodat2", 452, 452, (mode) => [here, 1, mode, 0]],
  ["creat", 85, null, (mode) => [1, mode]],
  ["mkdir", 83, null, (mode) => [1, mode]],
  ["mkdirat", 258, 34, (mode) => [here, 1, mode]],
  ["mknod", 133, null, (mode) => [1, 0o100000 | mode, 0]],
  ["mknodat", 259, 33, (mode) => [here, 1, 0o100000 | mode, 0]],
  ["open that makes a file", 2, null, (mode) => [1, 0o101, mode]],
  ["openat that makes a file", 257, 56, (mode) => [here, 1, 0o101, mode]],
  ["open of a nameless file", 2, null, (mode) => [1, 0o20200001, mode]],
  ["openat of a nameless file", 257, 56, (mode) => [here, 1, 0o20200001, mode]]
]

describe("The system call filter", () => {
  for (const [architecture, machine, column] of [
    ["x64", x64, 1],
    ["arm64", arm64, 2]
  ] as const) {
    const filter = program(architecture, false) as Uint8Array
    const answer = (call: number, ...args: ReadonlyArray<number>) => answerTo(filter, { call, machine, args })

    it(`${architecture}: set-id bits are refused in every call that sets a mode, all other bits pass`, () => {
      for (const [name, ...row] of modeCalls) {
        const call = row[column - 1] as number | null
        const args = row[2]
        if (call === null) continue
        for (const mode of [0o4000, 0o2000, 0o6000, 0o4755, 0o2755, 0o7777]) {
          assert.strictEqual(answer(call, ...args(mode)), "EPERM", `${name} ${mode.toString(8)}`)
        }
        for (const mode of [0, 0o644, 0o755, 0o1777]) {
          assert.strictEqual(answer(call, ...args(mode)), allowed, `${name} ${mode.toString(8)}`)
        }
      }
    })

    it(`${architecture}: an open that makes no file is not judged by its mode argument`, () => {
      for (const flags of [0, 1, 2, 0o2000000, 0o200000, 0o10000000]) {
        assert.strictEqual(answer(architecture === "x64" ? 257 : 56, here, 1, flags, 0o6755), allowed)
      }
    })

    it(`${architecture}: calls that hide their mode or bypass the filter are absent, unneeded calls are refused`, () => {
      const absent = { x64: [435, 425, 426, 427, 248, 249, 250, 437], arm64: [435, 425, 426, 427, 217, 218, 219, 437] }
      const refused = { x64: [321, 298, 323, 103, 304, 300, 438, 154], arm64: [280, 241, 282, 116, 265, 262, 438] }
      for (const call of absent[architecture]) assert.strictEqual(answer(call), "ENOSYS", `${call}`)
      for (const call of refused[architecture]) assert.strictEqual(answer(call), "EPERM", `${call}`)
    })

    it(`${architecture}: processes may be traced and written, the sandbox's init may not`, () => {
      const [ptrace, writev] = architecture === "x64" ? [101, 311] : [117, 271]
      for (const request of [16, 0x4206, 4]) {
        assert.deepStrictEqual([answer(ptrace, request, 1), answer(ptrace, request, 2)], ["EPERM", allowed])
      }
      assert.deepStrictEqual([answer(writev, 1), answer(writev, 12)], ["EPERM", allowed])
      // The kernel reads the low half alone.
      assert.strictEqual(answer(ptrace, 16, 0x1_0000_0001), "EPERM")
    })

    it(`${architecture}: sockets are Internet and netlink ones, user namespaces are refused`, () => {
      const [socket, clone, unshare] = architecture === "x64" ? [41, 56, 272] : [198, 220, 97]
      const families = [1, 2, 10, 16, 17, 38, 40].map((family) => answer(socket, family, 1, 0))
      assert.deepStrictEqual(families, ["EAFNOSUPPORT", allowed, allowed, allowed, ...Array(3).fill("EAFNOSUPPORT")])
      assert.strictEqual(
        answerTo(program(architecture, true) as Uint8Array, { call: socket, machine, args: [1] }),
        allowed
      )
      for (const call of [clone, unshare]) {
        assert.deepStrictEqual([answer(call, 0x10000000), answer(call, 0x11)], ["EPERM", allowed])
      }
    })

    it(`${architecture}: everything else of the same machine passes`, () => {
      const known = architecture === "x64" ? [0, 1, 3, 59, 60, 89, 231] : [63, 64, 57, 221, 93]
      for (const call of known) assert.strictEqual(answer(call, 0, 0o7777, 0o7777, 0o7777), allowed)
    })

    it(`${architecture}: another instruction set has no calls at all`, () => {
      // 32-bit x86 (`int 0x80`), 32-bit ARM, and the other processor of the two.
      for (const other of [0x40000003, 0x40000028, architecture === "x64" ? arm64 : x64]) {
        for (let call = 0; call < 500; call++) {
          assert.strictEqual(answerTo(filter, { call, machine: other, args: [0, 0, 0, 0] }), "ENOSYS")
        }
      }
    })
  }

  it("x64: x32 numbers have no calls at all", () => {
    const filter = program("x64", false) as Uint8Array
    for (let call = 0; call < 600; call++) {
      assert.strictEqual(answerTo(filter, { call: 0x40000000 | call, machine: x64, args: [0, 0, 0, 0] }), "ENOSYS")
    }
  })

  it("there is none for a processor with unknown numbers", () => {
    assert.isNull(program("riscv64", false))
  })
})
