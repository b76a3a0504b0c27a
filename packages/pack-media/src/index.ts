/** The tools of attachments and sent files, each alone and as a pack. */
export * as MediaPack from "./MediaPack.ts"
export { SaveAttachment } from "./SaveAttachment.ts"
export { SendMedia } from "./SendMedia.ts"
