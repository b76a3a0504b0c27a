/**
 * The bytes of a program that runs inside the sandbox before the command: it opens a listening socket on the sandbox's
 * own loopback, sends the socket out of the sandbox, and ends. This process can then serve a port inside the sandbox
 * from outside, and no program of Bough remains inside: adr/0061-network-of-commands.md.
 *
 * The program consists of five system calls, so it is generated here as an ELF file for each processor, like the system
 * call filter. It sends the socket in the format of Node's own child processes, which `spawn` with "ipc" accepts.
 */

/** The numbers of one processor's system calls. */
interface Machine {
  readonly elf: number
  readonly calls: Readonly<Record<"socket" | "bind" | "listen" | "sendmsg" | "exit", number>>
  readonly assemble: (calls: ReadonlyArray<Call>) => ReadonlyArray<number>
}

/**
 * One system call. As arguments, `socket` stands for the result of the first call, and `failed` for 1 if the last call
 * failed.
 */
interface Call {
  readonly number: number
  readonly arguments: ReadonlyArray<number | "socket" | "failed">
  /** The address of a word that receives the result. */
  readonly storeAt?: number
}

const family = 2
const stream = 1
const backlog = 511
const noSignal = 0x4000
const socketLevel = 1
const rights = 1

const message = '{"cmd":"NODE_HANDLE","type":"net.Server","msg":"listening"}\n'

const header = 64
const segment = 56
const codeAt = header + 2 * segment
const codeBytes = 512
const dataAt = codeAt + codeBytes
/** The load address. Each segment is loaded at its file offset above it, page-aligned on every machine. */
const textBase = 0x400000
const dataBase = 0x420000

/** Offsets of the structures in the data. */
export const registers = { address: 0, vector: 16, control: 32, header: 56, message: 112 }
export const addressOf = (offset: number): number => dataBase + dataAt + offset

/** Returns the program for a processor by Node's name of it; null: there is none. It sends the socket to `channel`. */
export const program = (architecture: string, port: number, channel: number): Uint8Array | null => {
  const machine = machines[architecture]
  if (machine === undefined) return null
  const { bind, exit, listen, sendmsg, socket } = machine.calls
  const code = machine.assemble([
    { number: socket, arguments: [family, stream, 0], storeAt: addressOf(registers.control + 16) },
    { number: bind, arguments: ["socket", addressOf(registers.address), 16] },
    { number: listen, arguments: ["socket", backlog] },
    { number: sendmsg, arguments: [channel, addressOf(registers.header), noSignal] },
    { number: exit, arguments: ["failed"] }
  ])
  return file(machine.elf, code, { port, message })
}

/** The contents of the program's data. */
export interface Data {
  readonly port: number
  readonly message: string
}

/** A segment of the file, loaded at its offset above `base`. */
interface Segment {
  readonly flags: number
  readonly base: number
  readonly offset: number
  readonly size: number
}

/** Returns the bytes of a program: its code and, if `addressOf` needs it, its data. */
export const file = (machine: number, code: ReadonlyArray<number>, { message, port }: Data): Uint8Array => {
  const dataBytes = registers.message + message.length
  const bytes = new Uint8Array(dataAt + dataBytes)
  const view = new DataView(bytes.buffer)
  const half = (at: number, value: number) => view.setUint16(at, value, true)
  const word = (at: number, value: number) => view.setUint32(at, value, true)
  const long = (at: number, value: number) => view.setBigUint64(at, BigInt(value), true)
  // ELF, 64 bits, little end first, an executable.
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  half(16, 2)
  half(18, machine)
  word(20, 1)
  long(24, textBase + codeAt)
  long(32, header)
  half(52, header)
  half(54, segment)
  half(56, 2)
  const load = (at: number, { base, flags, offset, size }: Segment) => {
    word(at, 1)
    word(at + 4, flags)
    long(at + 8, offset)
    long(at + 16, base + offset)
    long(at + 24, base + offset)
    long(at + 32, size)
    long(at + 40, size)
    long(at + 48, 0x10000)
  }
  load(header, { flags: 5, base: textBase, offset: 0, size: codeAt + code.length })
  load(header + segment, { flags: 6, base: dataBase, offset: dataAt, size: dataBytes })
  bytes.set(code, codeAt)
  // struct sockaddr_in: 127.0.0.1 and the port.
  half(dataAt + registers.address, family)
  view.setUint16(dataAt + registers.address + 2, port)
  bytes.set([127, 0, 0, 1], dataAt + registers.address + 4)
  // struct iovec.
  long(dataAt + registers.vector, addressOf(registers.message))
  long(dataAt + registers.vector + 8, message.length)
  // struct cmsghdr with one descriptor.
  long(dataAt + registers.control, 20)
  word(dataAt + registers.control + 8, socketLevel)
  word(dataAt + registers.control + 12, rights)
  // struct msghdr.
  long(dataAt + registers.header + 16, addressOf(registers.vector))
  long(dataAt + registers.header + 24, 1)
  long(dataAt + registers.header + 32, addressOf(registers.control))
  long(dataAt + registers.header + 40, 24)
  bytes.set(new TextEncoder().encode(message), dataAt + registers.message)
  return bytes
}

export const littleEnd = (value: number): ReadonlyArray<number> =>
  [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)

/** x86-64: the call's number is in eax, its arguments are in edi, esi and edx, and the socket is kept in ebx. */
const assembleX64 = (calls: ReadonlyArray<Call>): ReadonlyArray<number> => {
  const move = [0xbf, 0xbe, 0xba]
  const fromSocket = [
    [0x89, 0xdf],
    [0x89, 0xde],
    [0x89, 0xda]
  ]
  return calls.flatMap(({ arguments: callArguments, number, storeAt }) => [
    ...callArguments.flatMap((value, at) => {
      if (value === "socket") return fromSocket[at]
      // mov edi, eax; shr edi, 31: the sign of the last result.
      if (value === "failed") return [0x89, 0xc7, 0xc1, 0xef, 31]
      return [move[at], ...littleEnd(value)]
    }),
    0xb8,
    ...littleEnd(number),
    0x0f,
    0x05,
    // mov ebx, eax; mov [address], eax
    ...(storeAt === undefined ? [] : [0x89, 0xc3, 0x89, 0x04, 0x25, ...littleEnd(storeAt)])
  ])
}

/** arm64: the call's number is in x8, its arguments are in x0 to x2, and the socket is kept in x19. */
const assembleArm64 = (calls: ReadonlyArray<Call>): ReadonlyArray<number> => {
  const move = (register: number, value: number): ReadonlyArray<number> => [
    0xd2800000 + ((value & 0xffff) << 5) + register,
    0xf2a00000 + ((value >>> 16) << 5) + register
  ]
  const fromSocket = (register: number) => 0xaa1303e0 + register
  const supervisorCall = 0xd4000001
  const words = calls.flatMap(({ arguments: callArguments, number, storeAt }) => [
    ...callArguments.flatMap((value, at) => {
      if (value === "socket") return [fromSocket(at)]
      // lsr w0, w0, #31: the sign of the last result.
      if (value === "failed") return [0x531f7c00]
      return move(at, value)
    }),
    ...move(8, number),
    supervisorCall,
    // mov x19, x0; str w0, [x9]
    ...(storeAt === undefined ? [] : [0xaa0003f3, ...move(9, storeAt), 0xb9000120])
  ])
  return words.flatMap(littleEnd)
}

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    elf: 62,
    calls: { socket: 41, bind: 49, listen: 50, sendmsg: 46, exit: 60 },
    assemble: assembleX64
  },
  arm64: {
    elf: 183,
    calls: { socket: 198, bind: 200, listen: 201, sendmsg: 211, exit: 93 },
    assemble: assembleArm64
  }
}
