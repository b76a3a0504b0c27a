/** `pnpm record`: runs the story and writes docs/recording: the session for `asciinema play`, and the picture of the README. */
import { mkdirSync, writeFileSync } from "node:fs"
import * as Cast from "./Cast.ts"
import * as Recorder from "./Recorder.ts"
import * as Recording from "./Recording.ts"

mkdirSync(Recording.folder, { recursive: true })
const cast = await Recorder.record(Recorder.slowly)
writeFileSync(Recording.castFile, Cast.encode(cast))
writeFileSync(Recording.pictureFile, await Recording.picture(cast))
