/**
 * The words of a text in lower case: runs of letters, marks and digits of any script, after Unicode composition (NFC). An
 * apostrophe separates, so that French and Italian elisions are words of their own. Linear in the text.
 *
 * natural's word tokenizers are not used: its Italian one cuts at accented letters, its Spanish and Portuguese ones drop
 * numbers, its Dutch one drops accented letters and its Persian one keeps punctuation.
 *
 * @example wordsOf("L'été 2024, déjà !") // ["l", "été", "2024", "déjà"]
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}
