/**
 * The system call filter of the sandbox, as the bytes of a classic BPF program: no sockets but Internet and netlink ones
 * (a Unix socket below a visible directory, or the hypervisor's, is not held back by a network namespace), no new user
 * namespaces, no kernel keyrings, no io_uring (it opens sockets past any filter), no foreign instruction sets.
 */

/** What differs by machine; the numbers are the kernel's, stable for ever. */
interface Machine {
  readonly audit: number
  readonly socket: number
  readonly clone: number
  readonly unshare: number
  /** Answered as if the kernel did not have them, so that programs take their older way. */
  readonly absent: ReadonlyArray<number>
}

// absent: clone3, io_uring_setup, add_key, request_key, keyctl.
const machines: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, socket: 41, clone: 56, unshare: 272, absent: [435, 425, 248, 249, 250] },
  arm64: { audit: 0xc00000b7, socket: 198, clone: 220, unshare: 97, absent: [435, 425, 217, 218, 219] }
}

const families = { inet: 2, inet6: 10, netlink: 16 }
const unixFamily = 1
const newUserNamespace = 0x10000000
const x32Bit = 0x40000000
const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 }

const load = (offset: number) => ({ code: 0x20, ifTrue: 0, ifFalse: 0, value: offset })
const skipUnlessEqual = (value: number, skip: number) => ({ code: 0x15, ifTrue: 0, ifFalse: skip, value })
const skipIfEqual = (value: number, skip: number) => ({ code: 0x15, ifTrue: skip, ifFalse: 0, value })
const skipUnlessBits = (value: number, skip: number) => ({ code: 0x45, ifTrue: 0, ifFalse: skip, value })
const answer = (value: number) => ({ code: 0x06, ifTrue: 0, ifFalse: 0, value })
const fail = (error: number) => answer(0x00050000 | error)
const allow = answer(0x7fff0000)

// Of struct seccomp_data: the call, the instruction set, the low half of the first argument.
const [atCall, atMachine, atFirstArgument] = [0, 4, 16]

/** The program for a processor as Node names it; null where no filter is known. `unixSockets`: let those be made. */
export const program = (architecture: string, unixSockets: boolean): Uint8Array | null => {
  const machine = machines[architecture]
  const allowed = [...Object.values(families), ...(unixSockets ? [unixFamily] : [])]
  return machine === undefined ? null : assemble(instructions(machine, allowed))
}

const instructions = ({ absent, audit, clone, socket, unshare }: Machine, allowed: ReadonlyArray<number>) => [
  load(atMachine),
  skipIfEqual(audit, 1),
  fail(errno.ENOSYS),
  load(atCall),
  // x32 programs make the same calls under other numbers; arm64 has none of these.
  skipUnlessBits(x32Bit, 1),
  fail(errno.ENOSYS),
  ...absent.flatMap((call) => [skipUnlessEqual(call, 1), fail(errno.ENOSYS)]),
  ...[clone, unshare].flatMap((call) => [
    skipUnlessEqual(call, 4),
    load(atFirstArgument),
    skipUnlessBits(newUserNamespace, 1),
    fail(errno.EPERM),
    allow
  ]),
  skipUnlessEqual(socket, allowed.length + 2),
  load(atFirstArgument),
  ...allowed.map((family, at) => skipIfEqual(family, allowed.length - at)),
  fail(errno.EAFNOSUPPORT),
  allow
]

const assemble = (lines: ReturnType<typeof instructions>): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(lines.length * 8))
  for (const [at, { code, ifFalse, ifTrue, value }] of lines.entries()) {
    bytes.setUint16(at * 8, code, true)
    bytes.setUint8(at * 8 + 2, ifTrue)
    bytes.setUint8(at * 8 + 3, ifFalse)
    bytes.setUint32(at * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
