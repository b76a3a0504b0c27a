/**
 * The result of one check of `doctor`. The last field is the fix of a problem, "" if no fix is known. A check that
 * passed with a fix is a warning: the program works, and the fix lets it do more.
 */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string
}

export const pass = (name: string, detail: string): Check => ({ name, ok: true, detail, fix: "" })
export const warning = (name: string, detail: string, fix: string): Check => ({ name, ok: true, detail, fix })
export const problem = (name: string, detail: string, fix: string): Check => ({ name, ok: false, detail, fix })
