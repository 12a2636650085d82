import { refusalPhrase } from "./phrases.ts"

/** What somebody else says in the answer. */
const quotations = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」/gu

/**
 * Whether an answer refuses: the endpoint reports it, or its first 300 characters contain a refusal in one of ten languages, outside of quotations. A
 * partial refusal counts; a refusal in other words is missed. Linear in the text.
 *
 * @example isRefusal("I'm sorry, but I can't help with that.") // true
 * @public
 */
export function isRefusal(text: string): boolean {
  const plain = text
    .slice(0, 300)
    .normalize("NFC")
    .replace(/[’‘]/g, "'")
    .replace(quotations, " ")
    .replace(/[*_#`]{1,10}/g, "")
  return refusalPhrase.test(
    plain
      .replace(/\s{1,20}/g, " ")
      .trim()
      .toLowerCase(),
  )
}
