/** `config`: prints the configuration file; parent of the commands that read and change single values. */
import { command as declare, entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as ConfigFlags from "../command-line/flags/ConfigFlags.ts"
import * as Get from "./config/Get.ts"

export const command = declare({
  description: "Show and change the configuration; without a command it prints the file",
  parameters: { project: ConfigFlags.project },
  run: (program, common, { project }) => Get.get(program, common, { key: null, project }),
  subcommands: [
    entry("get", "Print one value", Get.command),
    lazyEntry("set", "Set one value; comments are kept, invalid values are rejected", () => import("./config/Set.ts")),
    lazyEntry("unset", "Remove one value", () => import("./config/Unset.ts")),
    lazyEntry("edit", "Open the file in your editor, and save it if it is valid", () => import("./config/Edit.ts")),
    lazyEntry("schema", "Print the JSON Schema of the file", () => import("./config/Schema.ts")),
    lazyEntry("path", "Print the path of the file", () => import("./config/Path.ts"))
  ]
})
