/**
 * The actions of the conversation, with their default keys and help texts, as data: the configuration, the screen, `/keys`
 * and docs/keys.md are generated from this table.
 */

/**
 * `screen`: the key has this meaning everywhere. `working`: only while the agent or a command works, so that the same key
 * may edit text at other times. `editor`: the key changes the draft. `transcript`: only in the full-screen transcript.
 */
export type KeyScope = "screen" | "working" | "editor" | "transcript"

interface KeyActionFacts {
  readonly scope: KeyScope
  readonly keys: ReadonlyArray<string>
  readonly help: string
  /** True if the action must keep at least one key. */
  readonly isNeeded?: true
}

const table = {
  send: { scope: "editor", keys: ["enter"], help: "send; while the agent works: steer its next step", isNeeded: true },
  queue: { scope: "working", keys: ["tab"], help: "while the agent works: queue the message until the turn ends" },
  interrupt: {
    scope: "editor",
    keys: ["escape"],
    help: "close a list; interrupt the turn, queued messages return to the editor; twice at the empty prompt: rewind",
    isNeeded: true
  },
  clear: {
    scope: "editor",
    keys: ["ctrl-c"],
    help: "interrupt the turn; at the prompt: clear it, twice at the empty prompt: quit",
    isNeeded: true
  },
  "new line": {
    scope: "editor",
    keys: ["alt-enter", "ctrl-j", "shift-enter", "ctrl-enter"],
    help: "insert a new line, as a backslash before Enter does"
  },
  complete: { scope: "editor", keys: ["tab"], help: "complete a command or a path; open a folded paste" },
  "next mode": { scope: "screen", keys: ["shift-tab"], help: "change the mode: auto, ask, plan" },
  "open transcript": {
    scope: "screen",
    keys: ["ctrl-o"],
    help: "open the whole transcript, where calls and reasoning open and close in place"
  },
  "find in transcript": {
    scope: "transcript",
    keys: ["ctrl-f"],
    help: "in the whole transcript: find a text, as / does; n and N go to the next and previous match"
  },
  "open agent": { scope: "screen", keys: ["ctrl-t"], help: "open an agent of this session: watch, steer or stop it" },
  "open editor": { scope: "screen", keys: ["ctrl-g"], help: "write the message in your editor" },
  "paste image": { scope: "screen", keys: ["ctrl-v"], help: "attach the image of the desktop's clipboard" },
  "leave running": {
    scope: "working",
    keys: ["ctrl-b"],
    help: "at the empty prompt: move the running command to the background"
  },
  suspend: { scope: "screen", keys: ["ctrl-z"], help: "suspend the program; fg resumes it" },
  "search history": { scope: "editor", keys: ["ctrl-r"], help: "search the earlier messages of this folder" },
  up: { scope: "editor", keys: ["up"], help: "move a row up; from the first row: the message before" },
  down: { scope: "editor", keys: ["down"], help: "move a row down; from the last row: the message after" },
  "older message": { scope: "editor", keys: ["ctrl-p"], help: "the message before, from any row" },
  "newer message": { scope: "editor", keys: ["ctrl-n"], help: "the message after, from any row" },
  left: { scope: "editor", keys: ["left", "ctrl-b"], help: "move a character to the left" },
  right: { scope: "editor", keys: ["right", "ctrl-f"], help: "move a character to the right" },
  "word left": { scope: "editor", keys: ["ctrl-left", "alt-left", "alt-b"], help: "move a word to the left" },
  "word right": { scope: "editor", keys: ["ctrl-right", "alt-right", "alt-f"], help: "move a word to the right" },
  "line start": { scope: "editor", keys: ["home", "ctrl-a"], help: "move to the start of the line" },
  "line end": { scope: "editor", keys: ["end", "ctrl-e"], help: "move to the end of the line" },
  "text start": { scope: "editor", keys: ["ctrl-home", "alt-<"], help: "move to the start of the text" },
  "text end": { scope: "editor", keys: ["ctrl-end", "alt->"], help: "move to the end of the text" },
  "delete left": {
    scope: "editor",
    keys: ["backspace", "shift-backspace", "ctrl-h"],
    help: "delete the character on the left"
  },
  "delete right": { scope: "editor", keys: ["delete"], help: "delete the character on the right" },
  "delete or quit": {
    scope: "editor",
    keys: ["ctrl-d"],
    help: "quit at the empty prompt; in a text: delete the character on the right"
  },
  "cut to blank": { scope: "editor", keys: ["ctrl-w"], help: "cut back to the previous blank" },
  "cut word left": { scope: "editor", keys: ["alt-backspace", "ctrl-backspace"], help: "cut the word on the left" },
  "cut word right": {
    scope: "editor",
    keys: ["alt-d", "alt-delete", "ctrl-delete"],
    help: "cut the word on the right"
  },
  "cut to line end": { scope: "editor", keys: ["ctrl-k"], help: "cut to the end of the line" },
  "cut to line start": { scope: "editor", keys: ["ctrl-u"], help: "cut to the start of the line" },
  "insert cut text": { scope: "editor", keys: ["ctrl-y"], help: "insert the text that was cut last" },
  undo: { scope: "editor", keys: ["ctrl-_", "ctrl-/"], help: "undo the last edit of the text" }
} as const satisfies Readonly<Record<string, KeyActionFacts>>

export type KeyAction = keyof typeof table

export interface KeyActionRow extends KeyActionFacts {
  readonly action: KeyAction
}

/** The actions in the order of the help. */
export const keyActions: ReadonlyArray<KeyActionRow> = Object.entries<KeyActionFacts>(table).map(([action, facts]) => ({
  // `Object.entries` widens the type of the keys to string.
  action: action as KeyAction,
  ...facts
}))
