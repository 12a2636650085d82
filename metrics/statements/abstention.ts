import { abstentionPhrase, courtesyPhrase } from "../../src/text/phrases.ts"

const source =
  "(?:texts?|passages?|contexts?|documents?|sources?|articles?|information|materials?|excerpts?|search results|paragraphs?)"
const not = "(?: not|n't)"

/** Ways to say in English that something is not known, or not in the texts; each is about the answer or the texts themselves. */
const unknown = new RegExp(
  [
    String.raw`^(?:unknown|not stated|not known|no answer|n\/a|unanswerable)[.!]?$`,
    String.raw`\b(?:i|we) (?:really |honestly |simply )?(?:do not|don't|cannot|can't|could not|couldn't) (?:know|tell|say|find|answer|determine)\b`,
    String.raw`\b(?:i am|i'm|we are|we're) not (?:sure|certain)\b`,
    String.raw`\b(?:i|we) have no (?:information|idea)\b`,
    String.raw`\b${source}(?: (?:provided|given|above))? (?:do|does|did)${not} (?:contain|mention|provide|state|say|specify|include|give|answer|tell|name|list|discuss)\b`,
    String.raw`\b(?:is|are|was|were)${not} (?:explicitly |directly )?(?:stated|mentioned|given|provided|specified|included|found|available|discussed) (?:anywhere )?(?:in|by) (?:the |these |this |any |your )?(?:provided |given )?${source}\b`,
    String.raw`\b(?:is|are|was|were)${not} (?:stated|mentioned|specified)[.!]?$`,
    String.raw`\b(?:cannot|can't|can not|could not) be (?:determined|answered|inferred)(?:[.!]?$| (?:from|based|with)\b)`,
    String.raw`\b(?:there is|there's|${source} (?:contains?|provides?|gives?)) (?:no|not enough|insufficient) (?:information|mention|answer|evidence)\b`,
  ].join("|"),
  "u",
)

/** Characters of a sentence that are read. */
const longest = 1_000

/**
 * Whether a sentence says that the answer is not known or not in the texts, and so states nothing that a text could support.
 * In the languages of `phrases.ts`; other wordings are missed. Linear in the text.
 *
 * @example abstains("The passages do not say when she was born.") // true
 */
export function abstains(sentence: string): boolean {
  const plain = plainSentence(sentence)
  return unknown.test(plain) || abstentionPhrase.test(plain)
}

/**
 * Whether a sentence states nothing that a text could support: it abstains, asks, greets, thanks, apologises or offers help.
 *
 * @example claimsNothing("Is there anything else I can help you with?") // true
 */
export function claimsNothing(sentence: string): boolean {
  return (
    /[?？؟]["”』」)]?$/u.test(sentence.trim()) || courtesyPhrase.test(plainSentence(sentence)) || abstains(sentence)
  )
}

/** How a letter ends: what follows is the name of its sender. */
const closing =
  /^(?:mit (?:freundlichen|besten|herzlichen) grüßen|(?:viele|beste|freundliche|liebe|herzliche) grüße|(?:best|kind|warm|many)(?: regards| wishes)|(?:yours )?sincerely|regards|(?:bien |très )?cordialement|bien à vous|(?:saludos|un saludo|atentamente)|(?:cordiali|distinti) saluti|atenciosamente|(?:met )?vriendelijke groet(?:en)?|此致(?:敬礼)?|敬具)[,.!。，]*$/u

/** Which of a text's sentences state something: all but those that {@link claimsNothing}, and who signs below the end of a letter. */
export function claimsOf(sentences: readonly { readonly text: string }[]): (index: number) => boolean {
  const end = sentences.findIndex(({ text }) => text.length < 60 && closing.test(plainSentence(text)))
  return (index) => {
    const { text = "" } = sentences[index] ?? {}
    const signs = end >= 0 && index > end && index <= end + 3 && text.split(/\s+/u).length <= 5
    return !signs && !claimsNothing(text)
  }
}

function plainSentence(sentence: string): string {
  return sentence.slice(0, longest).normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'").trim()
}
