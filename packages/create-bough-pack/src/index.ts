/** A new pack of tools: sources, a test with the conformance kit, a file of packs to run it with, and CI. */
export { createPack, type CreatedPack } from "./createPack.ts"
