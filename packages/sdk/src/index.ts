/** Tool packs in a program without Effect: `open(pack, { root })` returns async functions. */
export { open } from "./Open.ts"
export type { AnyOpenedPack, CallOptions, PackDeclarations, EnvelopeOf, Judgement, OpenedPack } from "./OpenedPack.ts"
export type { ApprovalAnswer, Approve, MemoryOptions, OpenOptions, Send } from "./Options.ts"
export { approveShown } from "./ShownApproval.ts"
