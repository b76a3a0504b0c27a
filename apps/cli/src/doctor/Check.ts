/** The result of one check of `doctor`. The last field is the fix of a problem, "" if none is known. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly mend: string
}

export const fine = (name: string, detail: string): Check => ({ name, ok: true, detail, mend: "" })
export const problem = (name: string, detail: string, mend: string): Check => ({ name, ok: false, detail, mend })
