/** The names that are refused, as the tool contract describes them. */
export { fold, holdsState, isAtOrBelow, isProtected, sensitivity } from "@bough/tool/SensitivePath"
