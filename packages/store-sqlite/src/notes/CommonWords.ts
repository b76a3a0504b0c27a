/**
 * English and German words that users often use with any topic. In a hundred notes, each of these words occurs only
 * once or twice, and would count as rare. Pure. NoteWords and FunctionWords contain the words without any content.
 */

const english = `able access action actually address again almost already also always another anything around ask away
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
  within without wonder word work worry would write wrong year yes yesterday yet`

/** The words in the forms that users write. */
const german = `abend abends andere anderen anderer anders anfang anfangen ansehen arbeiten art beginnen beginnt beide
  beiden beispiel bekommen bekommt besser beste besten bisher bleiben bleibt brauche brauchen braucht bringen danach
  danke datei dateien drei dritte einfach einige einmal ende erste ersten erster erstes etwas finde finden findet
  frage fragen ganz ganze ganzen geben gehen geht gehört genau genug gerade gern gestern gib gibt gleich groß große
  großen gut gute guten gutes heißt heute hilf hinten hoch immer jede jedem jeden jeder jedes jemand klein
  kleine kleinen komme kommen kommt kurz kurze kurzen lang lange langen lass lassen lauf laufen leer lesen letzte
  letzten letzter letztes liegen liegt lies liest links läuft mach mache machen macht mal mehr meist meisten minute
  minuten monat morgen möglich nachher name namen nehmen neu neue neuem neuen neuer neues nichts nie niemand nimm
  nochmal nutzen nutzt nächste nächsten oben oft platz prüfe rechts sag sage sagen sagt schau schnell schnelle
  schneller schon schreib schreibe schreiben schreibt sehen sehr seite seiten selbst setze setzen sicher sieh sofort
  sonst später starte starten stehen steht stelle stellen stunde stunden suche suchen tag tage tagen teil teile teilen
  tun tut unten verstehen versuch versuche viel viele vielen vier vorher vorn warte warten wartet weg weiter wenig
  weniger wichtig wieder wissen woche wochen wort worte zahl zahlen zehn zeig zeige zeigen zeigt zeile zeilen zeit
  zuerst zurück zusammen zwei zweite zweiten ändere ändern ändert änderung änderungen öffne öffnen`

const words: ReadonlySet<string> = new Set([english, german].join(" ").split(/\s+/u))

const irregular: ReadonlyMap<string, string> = new Map(
  `began:begin begun:begin bought:buy broke:break brought:bring built:build came:come chose:choose chosen:choose did:do does:do
    drawn:draw drew:draw fell:fall gave:give given:give gone:go got:get grew:grow grown:grow heard:hear held:hold hung:hang kept:keep
    knew:know known:know learnt:learn lost:lose made:make meant:mean met:meet ran:run said:say saw:see seen:see sent:send shown:show
    stood:stand taken:take thought:think told:tell took:take tried:try understood:understand went:go written:write wrote:write`
    .split(/\s+/u)
    .map((pair): [string, string] => [pair.split(":")[0], pair.split(":")[1]])
)

/** Endings, each with its replacement in the plain form. */
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
