/** Thrown if a type has no JSON form; the message names the unsupported part. */
export class UnsupportedType extends Error {
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}
