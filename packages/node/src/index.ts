/** Tool packs in a plain program: `open(pack, { root })` gives async functions. */
export { open } from "./Open.ts"
export type { CallOptions, EnvelopeOf, Judgement, Opened } from "./Opened.ts"
export type { Answer, Approve, MemoryOptions, Options, Send } from "./Options.ts"
