/** Images as a user attaches them. Pure; the host reads them. */
import * as Escape from "../text/Escape.ts"

/** An image with its content, which was read when the file was dropped: the file may be deleted afterwards. */
export interface Image {
  readonly path: string
  /** Its bytes in base64. */
  readonly media: { readonly mediaType: string; readonly data: string }
}

/** Returns the text that represents an image, on the screen and for the model. */
export const label = ({ path }: Pick<Image, "path">): string =>
  `[image ${Escape.line(path.slice(path.lastIndexOf("/") + 1))}]`

/** True if a path could name an image that models accept; its content decides. */
export const isNamed = (path: string): boolean => /\.(?:png|jpe?g|gif|webp)$/iu.test(path)
