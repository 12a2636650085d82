import { segmentWords, unspacedLetter } from "../../src/text/language.ts"

const unspaced = new RegExp(unspacedLetter, "u")
const functionWords = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below between both but by can " +
    "could did do does doing down during each few for from further had has have having he her here hers him his how i if in " +
    "into is it its itself just may me might more most must my no nor not now of off on once one only or other our out over " +
    "own same shall she should so some such than that the their them then there these they this those through to too under " +
    "until up upon us very was we were what when where which while who whom why will with would you your " +
    // Of German, French, Spanish, Italian, Portuguese and Dutch, those that are no words of English; of Chinese and Japanese.
    "aber auch auf aus bei dass das dem der des ein eine einem einen einer eines für ich ihr im ist kann mit nach nicht oder sich sie sind " +
    "und von vom werden wie wir wird wurde zu zum zur über au aux avec ce ces cette dans du elle est et il ils je la le les leur mais ne nous ou " +
    "où pas qui que sont un une vous été à cuando del el ella en es esta está este fue las los más muy por que se si " +
    "su también una y al che da dei della delle di e ed gli ha il lo ma nel nella non o per più sono una è com dos em foi não os para pela " +
    "pelo seu sua são uma aan dat de deze een en er het hij ik is maar naar niet of ook om te tot uit voor werd zijn " +
    "的 了 在 是 和 与 與 由 于 於 也 都 就 而 及 或 被 把 这 那 有 为 為 は が を に の と で も へ や か た て だ し れ ます です した して いる ある いた から まで など"
  ).split(" "),
)

/**
 * The words of a text that carry meaning: lower case, without function words of nine languages; of scripts without blanks by ICU's dictionaries. Letters and digits of any script;
 * points and commas inside numbers stay. Linear in the text.
 *
 * @example contentWords("The cat sat on 3.5 mats.") // ["cat", "sat", "3.5", "mats"]
 */
export function contentWords(text: string): string[] {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+(?:[.,'’](?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}]+)*/gu)
  return (words ?? [])
    .flatMap((word) => (unspaced.test(word) ? segmentWords(word) : word))
    .filter((word) => !functionWords.has(word))
}

/**
 * The share of distinct content words of a text that occur among other words; null when it has none.
 *
 * @example coverage("The cat sat.", new Set(["cat"])) // 0.5
 */
export function coverage(text: string, words: ReadonlySet<string>): number | null {
  const own = new Set(contentWords(text))
  if (own.size === 0) return null
  let shared = 0
  for (const word of own) if (words.has(word)) shared++
  return shared / own.size
}
