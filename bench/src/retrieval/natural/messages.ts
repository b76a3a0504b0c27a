/** Everyday messages to a coding agent. Every second message of each kind is held out. */

export interface EverydayMessage {
  readonly text: string
  /** Notes that are useful for the message; empty: it needs none. */
  readonly served: ReadonlyArray<string>
}

const message = (text: string, ...served: ReadonlyArray<string>): EverydayMessage => ({ text, served })

const needNone = [
  message("thanks, that's all for now"),
  message("good morning!"),
  message("run the tests and tell me what fails"),
  message("what does this function do?"),
  message("rename that variable to something clearer"),
  message("undo your last change please"),
  message("ok, go ahead"),
  message("explain the error on line 42"),
  message("why is this loop so slow?"),
  message("add a docstring to each public method"),
  message("show me the diff first"),
  message("split this file into two modules"),
  message("danke, das war's für heute"),
  message("bedankt, dat ziet er goed uit"),
  message("ありがとう、もう大丈夫です"),
  message("好的，继续"),
  message("gracias, perfecto"),
  message("continue where you stopped"),
  message("it does not build on my machine, have a look"),
  message("write a regex that matches ISO dates"),
  message("is there a shorter way to write this switch statement?"),
  message("sort the imports and remove the unused ones"),
  message("what is the difference between a mutex and a semaphore?"),
  message("bump the version and update the changelog")
]

const served = [
  message("write a commit message for what is staged", "j-commit"),
  message("set up formatting and linting for the new TypeScript service", "j-linter"),
  message("add a column for the payout amounts to the ledger table", "j-money"),
  message("the integration tests hang at the start again", "j-containers"),
  message("the webhook sender should retry when a merchant answers 500", "j-webhooks"),
  message("log the incoming request body when validation fails", "j-logging"),
  message("build the settings screen in SwiftUI", "r-swiftui", "r-voiceover"),
  message("put the new German translations into the .strings files", "r-lokalise"),
  message("all snapshot tests fail on my new simulator", "r-snapshots"),
  message("style the header of the museum site in its brand colours", "m-kade", "m-css"),
  message("load a nice font from Google on the landing page", "m-fonts"),
  message("add a cookie banner to the start page", "m-cookies"),
  message("roll back last night's push to live on the VPS", "m-deploy"),
  message("write a database migration that adds an index, then deploy it", "j-migrations"),
  message("make a figure of the survival curves with ggplot2", "c-ggplot"),
  message("align the new reads against the genome", "c-genome-new"),
  message("add a Snakemake rule for trimming", "c-snakemake"),
  message("commit the 80 MB reference file to git", "c-bucket"),
  message("売上の dbt モデルを一つ追加して", "a-dbt"),
  message("给 FreeRTOS 加一个新任务", "l-rtos"),
  message("固件升级时看门狗总是复位，帮我看看", "l-watchdog"),
  message("write the meta description of the new product page", "i-seo", "i-tuteo"),
  message("restore the shop's database from last night's copy", "i-backup"),
  message("merge my feature branch into main", "j-branching"),
  message("skip strong authentication for card payments below 50 euros", "j-sca"),
  message("sign the OTA image before the upload", "l-ota")
]

export const messages = [...needNone, ...served]
