/**
 * Function words in languages with fewer notes than English: otherwise they would look rare and count as the topic of a
 * text. Pure. NoteWords leaves out the English ones.
 */

const german = `aber alle als am an auf auch aus bei beim bin bis bitte bist da dann das dass dein deine dem den denn der des dich die dir
  doch du ein eine einem einen einer eines er es euch euer für gegen hab habe haben hast hat hatte hier ich ihm ihn ihr ihre im ist
  ja jetzt kann kannst kein keine können man mein meine mich mir mit muss nach nein nicht noch nun nur ob oder ohne schon sein seine
  sich sie sind so soll sollte um und uns unser unsere unter vom von vor war waren warum was weil welche welcher welches wem wen wenn wer
  werden wie wir wird wo wollen zu zum zur über`

const dutch = `aan al alle als altijd ben bij dan dat de deze die dit doen door dus een en er geen had hallo heb hebben heeft het hier hij hoe
  hun ik in is ja je jij jouw jullie kan kun kunnen maar me met mij mijn moet na naar nee niet nog nu of om onder ons onze ook op over te
  tot u uit uw van veel voor waar waarom wanneer want waren was wat we welk welke werd wie wij wil worden wordt zal ze zei zij zijn zo zou`

const french = `ai ainsi alors as au aussi aux avec avez avoir avons ce ces cet cette chez comme comment dans de depuis des donc du elle elles
  en est et eux fait il ils je la le les leur leurs lui ma mais me mes moi mon même ne nos notre nous on ont ou où par pas peut peux
  plus pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sous suis sur ta te tes toi ton tous tout
  toute tu un une va vos votre vous y à ça été être`

const spanish = `a al algo como con cuando cuál cuáles cuándo cuánta cuánto cómo de del donde dónde e el ella ellas ellos en entre era es esa ese
  eso esta estar este esto está están fue ha hace hacer hasta hay he la las le les lo los me mi mis muy más ni no nos nosotros nuestra nuestro
  o para pero por porque puede puedes que quien quién qué se ser si sin sobre son soy su sus sí también te tiene todo todos tu tus un una unas
  uno unos y ya yo`

const words: ReadonlySet<string> = new Set([german, dutch, french, spanish].join(" ").split(/\s+/u))

/**
 * Matches words in hiragana: Japanese writes endings and particles in it, and content words mostly in other scripts.
 */
const inflection = /^\p{Script=Hiragana}+$/u
/** Chinese particles and pronouns: a pair of characters with one of them is not a word. */
const particle = /[的了是我你您他她它们们这那哪吗呢吧么什就也都很把被请]/u

/**
 * Returns the words with a topic. A query in hiragana alone names it in hiragana, such as the reading of a name, so all
 * of its words count.
 */
export const topicWords = (queryWords: ReadonlyArray<string>): ReadonlyArray<string> => {
  const topics = queryWords.filter((word) => !has(word))
  return topics.length === 0 ? queryWords.filter((word) => inflection.test(word)) : topics
}

/** True for a function word; `word` is a word as NoteWords splits it. */
export const has = (word: string): boolean => words.has(word) || inflection.test(word) || particle.test(word)
