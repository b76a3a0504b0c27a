/** The wire types of the journal. Types only. */
import type { Frame as ClientFrame } from "@bough/client"

export type Frame = ClientFrame
export type FrameOf<Tag extends Frame["_tag"]> = Extract<Frame, { readonly _tag: Tag }>
export type Entry = FrameOf<"Entry">["entry"]
export type Body = Entry["body"]
export type BodyOf<Tag extends Body["_tag"]> = Extract<Body, { readonly _tag: Tag }>
export type Outcome = BodyOf<"CallEnded">["outcome"]
export type ApprovalRequest = FrameOf<"ApprovalAsked">["request"]
