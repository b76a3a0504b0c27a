/**
 * English words that people use all the time, whatever the topic. Among a hundred notes each of them is on one or two,
 * and would count as a rare word. Pure. NoteWords and FunctionWords have the words without any content.
 */

const general = `able access action actually address again almost already also always another anything around ask away
  back bad base become before begin best better big bit both break bring broken build call case change check choose
  clear close come common complete copy correct cost could create current cut date day default detail different do
  done double down draw drop each early easy edit either else end enough even ever every everything example exist
  explain extra fact fail fall far fast few field file fill final find fine finish first fix follow form found free
  full general get give go good great guess half handle happen hard have hear help here high hold hour idea important
  include inside instead item job join just keep kind know large last late later leave left less let level life like
  limit line list little live load local long look lose lot low main make man many match maybe mean mention might mind
  minute miss mode month more most move much must name near need never new next nice normal nothing now number off old
  once one only open option order other outside over own part pass past perhaps pick piece place plain plan play
  please point possible problem put question quick quickly quite rather read ready real really reason remember remove
  repeat replace rest result return right rule run safe same save say second section see seem send set several short
  show side simple since single size slow small something soon sort sound split stand start state stay step still stop
  strange stuff such suggest sure take task tell text thank thanks thing think though thought three through time title
  today together tomorrow tonight too top total towards trouble true try turn two type under understand until update
  upon use useful user usual usually value version very view wait want watch way week weekend well while whole wide
  wish within without wonder word work worry would write wrong year yes yesterday yet`

const words: ReadonlySet<string> = new Set(general.split(/\s+/u))

const irregular: ReadonlyMap<string, string> = new Map(
  `began:begin begun:begin bought:buy broke:break brought:bring built:build came:come chose:choose chosen:choose did:do does:do
    drawn:draw drew:draw fell:fall gave:give given:give gone:go got:get grew:grow grown:grow heard:hear held:hold hung:hang kept:keep
    knew:know known:know learnt:learn lost:lose made:make meant:mean met:meet ran:run said:say saw:see seen:see sent:send shown:show
    stood:stand taken:take thought:think told:tell took:take tried:try understood:understand went:go written:write wrote:write`
    .split(/\s+/u)
    .map((pair): [string, string] => [pair.split(":")[0], pair.split(":")[1]])
)

/** Each ending with what stands in its place in the plain form. */
const endings: ReadonlyArray<readonly [ending: RegExp, plain: string]> = [
  [/s$/u, ""],
  [/es$/u, ""],
  [/ies$/u, "y"],
  [/d$/u, ""],
  [/ed$/u, ""],
  [/ied$/u, "y"],
  [/ing$/u, ""],
  [/ing$/u, "e"],
  [/(.)\1(?:ed|ing)$/u, "$1"]
]

/** True for a common word in any form; `word` is in lower case. */
export const has = (word: string): boolean =>
  words.has(irregular.get(word) ?? word) ||
  endings.some(([ending, plain]) => ending.test(word) && words.has(word.replace(ending, plain)))
