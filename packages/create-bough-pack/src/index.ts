/** A new pack of tools: sources, a test with the conformance kit, a file of packs that runs it, and CI. */
export { createPack, type CreatedPack } from "./createPack.ts"
