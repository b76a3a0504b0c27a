/** Where rows are laid out. */
import type { Theme } from "../theme/Theme.ts"

export interface RowContext {
  /** Cells of a row. */
  readonly columns: number
  readonly theme: Theme
}
