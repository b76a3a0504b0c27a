/**
 * The bytes of a program that runs in the sandbox beside the command and sends out new TCP sockets of its network
 * namespace, one for each byte that it reads: "4" asks for IPv4, "6" for IPv6. This process then connects or listens
 * inside the sandbox without being in it: adr/0080-ports-of-commands.md.
 *
 * First the program protects itself from other programs of the sandbox (PR_SET_DUMPABLE), so that they cannot take over
 * its channel. Then it forks: the child serves, and no process of the sandbox is the parent of that child.
 */
import { addressOf, file, littleEnd, registers } from "./ListenerProgram.ts"

const message = '{"cmd":"NODE_HANDLE","type":"net.Native","msg":"socket"}\n'

const noSignal = 0x4000
/** SOCK_STREAM, SOCK_NONBLOCK and SOCK_CLOEXEC. */
const streamSocket = 0x80801
/** The byte is stored at the address that the listener program uses for its socket address. */
const byteAt = addressOf(registers.address)
const descriptorAt = addressOf(registers.control + 16)
const headerAt = addressOf(registers.header)

/** Code with its jump targets. */
class Code {
  readonly bytes: Array<number> = []
  readonly #labels = new Map<string, number>()
  readonly #jumps: Array<{ readonly at: number; readonly to: string; readonly fix: (distance: number) => void }> = []

  add(...bytes: ReadonlyArray<number>): void {
    this.bytes.push(...bytes)
  }

  label(name: string): void {
    this.#labels.set(name, this.bytes.length)
  }

  jump(to: string, fix: (distance: number) => void): void {
    this.#jumps.push({ at: this.bytes.length, to, fix })
  }

  whole(): ReadonlyArray<number> {
    for (const { at, fix, to } of this.#jumps) fix((this.#labels.get(to) ?? 0) - at)
    return this.bytes
  }
}

const x64 = (channel: number): ReadonlyArray<number> => {
  const code = new Code()
  const call = (number: number) => code.add(0xb8, ...littleEnd(number), 0x0f, 0x05)
  /** A jump of two bytes: a condition, and the distance from the next instruction. */
  const jump = (condition: number, to: string) => {
    const at = code.bytes.length
    code.jump(to, (distance) => (code.bytes[at + 1] = (distance - 2) & 0xff))
    code.add(condition, 0)
  }
  // prctl(PR_SET_DUMPABLE, 0)
  code.add(0xbf, ...littleEnd(4), 0x31, 0xf6)
  call(157)
  // fork(); the parent exits with the sign of the result as its code
  call(57)
  code.add(0x85, 0xc0)
  jump(0x74, "loop")
  code.add(0x89, 0xc7, 0xc1, 0xef, 31)
  call(60)
  code.label("loop")
  // read(channel, byte, 1)
  code.add(0xbf, ...littleEnd(channel), 0xbe, ...littleEnd(byteAt), 0xba, ...littleEnd(1))
  call(0)
  code.add(0x85, 0xc0)
  jump(0x7e, "end")
  // movzx ebx, byte; "4" or "6", else read on
  code.add(0x0f, 0xb6, 0x1c, 0x25, ...littleEnd(byteAt), 0x80, 0xfb, 0x34)
  jump(0x74, "make")
  code.add(0x80, 0xfb, 0x36)
  jump(0x75, "loop")
  code.label("make")
  // the family: 2 + 4 * (byte & 2), so 2 or 10
  code.add(0x83, 0xe3, 2, 0xc1, 0xe3, 2, 0x83, 0xc3, 2, 0x89, 0xdf, 0xbe, ...littleEnd(streamSocket), 0x31, 0xd2)
  call(41)
  code.add(0x85, 0xc0)
  jump(0x78, "loop")
  code.add(0x89, 0xc3, 0x89, 0x04, 0x25, ...littleEnd(descriptorAt))
  // sendmsg(channel, header, MSG_NOSIGNAL); close
  code.add(0xbf, ...littleEnd(channel), 0xbe, ...littleEnd(headerAt), 0xba, ...littleEnd(noSignal))
  call(46)
  code.add(0x89, 0xdf)
  call(3)
  jump(0xeb, "loop")
  code.label("end")
  code.add(0x31, 0xff)
  call(60)
  return code.whole()
}

const arm64 = (channel: number): ReadonlyArray<number> => {
  const code = new Code()
  const word = (value: number) => code.add(...littleEnd(value))
  const move = (register: number, value: number) => {
    word(0xd2800000 + ((value & 0xffff) << 5) + register)
    word(0xf2a00000 + ((value >>> 16) << 5) + register)
  }
  const call = (number: number) => {
    move(8, number)
    word(0xd4000001)
  }
  /** A jump whose distance in words occupies `bits` bits, starting at bit `from`. */
  const jump = (instruction: number, to: string, { bits, from }: { readonly bits: number; readonly from: number }) => {
    const at = code.bytes.length
    code.jump(to, (distance) => {
      const field = ((distance / 4) & ((1 << bits) - 1)) << from
      code.bytes.splice(at, 4, ...littleEnd((instruction | field) >>> 0))
    })
    word(0)
  }
  const conditional = { bits: 19, from: 5 }
  move(0, 4)
  move(1, 0)
  call(167)
  // clone(SIGCHLD)
  move(0, 17)
  for (const register of [1, 2, 3, 4]) move(register, 0)
  call(220)
  jump(0x34000000, "loop", conditional)
  word(0x531f7c00)
  call(93)
  code.label("loop")
  move(0, channel)
  move(1, byteAt)
  move(2, 1)
  call(63)
  // cmp w0, #0; b.le
  word(0x7100001f)
  jump(0x5400000d, "end", conditional)
  move(9, byteAt)
  // ldrb w19, [x9]; cmp w19, #"4"; b.eq; cmp w19, #"6"; b.ne
  word(0x39400133)
  word(0x7100001f + (0x34 << 10) + (19 << 5))
  jump(0x54000000, "make", conditional)
  word(0x7100001f + (0x36 << 10) + (19 << 5))
  jump(0x54000001, "loop", conditional)
  code.label("make")
  // and w19, w19, #2; lsl w19, w19, #2; add w0, w19, #2
  word(0x121f0273)
  word(0x531e7673)
  word(0x11000a60)
  move(1, streamSocket)
  move(2, 0)
  call(198)
  // tbnz w0, #31
  jump(0x37f80000, "loop", { bits: 14, from: 5 })
  // mov w19, w0; str w0, [x9]
  word(0x2a0003f3)
  move(9, descriptorAt)
  word(0xb9000120)
  move(0, channel)
  move(1, headerAt)
  move(2, noSignal)
  call(211)
  // mov w0, w19
  word(0x2a1303e0)
  call(57)
  jump(0x14000000, "loop", { bits: 26, from: 0 })
  code.label("end")
  move(0, 0)
  call(93)
  return code.whole()
}

const machines: Readonly<
  Record<string, { readonly elf: number; readonly code: (channel: number) => ReadonlyArray<number> }>
> = {
  x64: { elf: 62, code: x64 },
  arm64: { elf: 183, code: arm64 }
}

/** Returns the program for a processor by Node's name of it; null: there is none. It serves `channel`. */
export const program = (architecture: string, channel: number): Uint8Array | null => {
  const machine = machines[architecture]
  return machine === undefined ? null : file(machine.elf, machine.code(channel), { port: 0, message })
}
