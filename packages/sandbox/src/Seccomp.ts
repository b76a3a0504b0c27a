/**
 * The system call filter of the sandbox, as the bytes of a classic BPF program: only Internet and netlink sockets (a
 * network namespace does not block Unix sockets below a visible directory, nor the hypervisor's sockets), no new user
 * namespaces, no kernel keyrings, no io_uring (it opens files and sockets past any filter), no setuid or setgid bits (a
 * file with them would outlive the sandbox), no tracing of the sandbox's own init, no foreign instruction sets.
 */

/** The position of an argument with the mode bits of a file. */
type ModeArgument = 1 | 2 | 3

/** The numbers of one processor's system calls; the kernel never changes them. */
interface Machine {
  readonly audit: number
  readonly socket: number
  readonly clone: number
  readonly unshare: number
  /** Calls that fail as if the kernel lacked them, so that programs fall back to older calls. */
  readonly absent: ReadonlyArray<number>
  /** Calls that no confined program needs. */
  readonly refused: ReadonlyArray<number>
  /** Calls that access the process named by an argument. */
  readonly reaching: ReadonlyArray<readonly [call: number, pidArgument: 0 | 1]>
  /** Calls that set the mode bits of a file. */
  readonly modes: ReadonlyArray<readonly [call: number, modeArgument: ModeArgument]>
  /** Calls that open files: their mode matters only if their flags, one argument before, create a file. */
  readonly opens: ReadonlyArray<readonly [call: number, modeArgument: ModeArgument]>
}

/**
 * absent: clone3, io_uring_setup, io_uring_enter, io_uring_register, add_key, request_key, keyctl, openat2 (the filter
 * cannot read its mode, which is behind a pointer). refused: bpf, perf_event_open, userfaultfd, syslog,
 * open_by_handle_at, fanotify_init, pidfd_getfd, and on x64 modify_ldt. reaching: ptrace, process_vm_writev. modes:
 * fchmod, fchmodat, fchmodat2, mkdirat, mknodat, and on x64 chmod, creat, mkdir, mknod. opens: openat, and on x64 open.
 */
const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    clone: 56,
    unshare: 272,
    absent: [435, 425, 426, 427, 248, 249, 250, 437],
    refused: [321, 298, 323, 103, 304, 300, 438, 154],
    reaching: [
      [101, 1],
      [311, 0]
    ],
    modes: [
      [91, 1],
      [268, 2],
      [452, 2],
      [258, 2],
      [259, 2],
      [90, 1],
      [85, 1],
      [83, 1],
      [133, 1]
    ],
    opens: [
      [257, 3],
      [2, 2]
    ]
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    clone: 220,
    unshare: 97,
    absent: [435, 425, 426, 427, 217, 218, 219, 437],
    refused: [280, 241, 282, 116, 265, 262, 438],
    reaching: [
      [117, 1],
      [271, 0]
    ],
    modes: [
      [52, 1],
      [53, 2],
      [452, 2],
      [34, 2],
      [33, 2]
    ],
    opens: [[56, 3]]
  }
}

const families = { inet: 2, inet6: 10, netlink: 16 }
const unixFamily = 1
const newUserNamespace = 0x10000000
const x32Bit = 0x40000000
const setIdBits = 0o6000
/** `O_CREAT`, and the bit that only `O_TMPFILE` has. */
const creating = 0o100 | 0o20000000
/** The init of a process namespace, as its processes see it. */
const init = 1
const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 }

const load = (offset: number) => ({ code: 0x20, ifTrue: 0, ifFalse: 0, value: offset })
const skipUnlessEqual = (value: number, skip: number) => ({ code: 0x15, ifTrue: 0, ifFalse: skip, value })
const skipIfEqual = (value: number, skip: number) => ({ code: 0x15, ifTrue: skip, ifFalse: 0, value })
const skipUnlessBits = (value: number, skip: number) => ({ code: 0x45, ifTrue: 0, ifFalse: skip, value })
const answer = (value: number) => ({ code: 0x06, ifTrue: 0, ifFalse: 0, value })
const fail = (error: number) => answer(0x00050000 | error)
const allow = answer(0x7fff0000)

type Instruction = ReturnType<typeof load>

// Offsets in struct seccomp_data: the call, the instruction set, the low half of an argument.
const [atCall, atMachine] = [0, 4]
const atArgument = (argument: number): number => 16 + 8 * argument

/** Returns the program for a processor by Node's name of it; null: no filter is known. `unixSockets`: allows these. */
export const program = (architecture: string, unixSockets: boolean): Uint8Array | null => {
  const machine = machines[architecture]
  const allowed = [...Object.values(families), ...(unixSockets ? [unixFamily] : [])]
  return machine === undefined ? null : assemble(instructions(machine, allowed))
}

/** Runs `body` for one call, whose number the caller has loaded; `body` must end in a verdict. */
const onCall = (call: number, body: ReadonlyArray<Instruction>): ReadonlyArray<Instruction> => [
  skipUnlessEqual(call, body.length),
  ...body
]

const instructions = (machine: Machine, allowed: ReadonlyArray<number>): ReadonlyArray<Instruction> => [
  load(atMachine),
  skipIfEqual(machine.audit, 1),
  fail(errno.ENOSYS),
  load(atCall),
  // x32 programs make the same calls under other numbers; arm64 has no such programs.
  skipUnlessBits(x32Bit, 1),
  fail(errno.ENOSYS),
  // The most frequent calls come first.
  ...machine.opens.flatMap(([call, mode]) =>
    onCall(call, [
      load(atArgument(mode - 1)),
      skipUnlessBits(creating, 3),
      load(atArgument(mode)),
      skipUnlessBits(setIdBits, 1),
      fail(errno.EPERM),
      allow
    ])
  ),
  ...machine.absent.flatMap((call) => onCall(call, [fail(errno.ENOSYS)])),
  ...machine.refused.flatMap((call) => onCall(call, [fail(errno.EPERM)])),
  ...machine.modes.flatMap(([call, mode]) =>
    onCall(call, [load(atArgument(mode)), skipUnlessBits(setIdBits, 1), fail(errno.EPERM), allow])
  ),
  ...machine.reaching.flatMap(([call, pid]) =>
    onCall(call, [load(atArgument(pid)), skipUnlessEqual(init, 1), fail(errno.EPERM), allow])
  ),
  ...[machine.clone, machine.unshare].flatMap((call) =>
    onCall(call, [load(atArgument(0)), skipUnlessBits(newUserNamespace, 1), fail(errno.EPERM), allow])
  ),
  ...onCall(machine.socket, [
    load(atArgument(0)),
    ...allowed.map((family, at) => skipIfEqual(family, allowed.length - at)),
    fail(errno.EAFNOSUPPORT),
    allow
  ]),
  allow
]

const assemble = (lines: ReadonlyArray<Instruction>): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(lines.length * 8))
  for (const [at, { code, ifFalse, ifTrue, value }] of lines.entries()) {
    bytes.setUint16(at * 8, code, true)
    bytes.setUint8(at * 8 + 2, ifTrue)
    bytes.setUint8(at * 8 + 3, ifFalse)
    bytes.setUint32(at * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
