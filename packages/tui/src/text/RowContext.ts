/** The width and the styles of a layout. */
import type { Theme } from "../theme/Theme.ts"

export interface RowContext {
  /** The number of cells in a row. */
  readonly columns: number
  readonly theme: Theme
}
