const marker = /####|\\boxed\{|\b(?:final\s+)?answer\b\s*(?:is\b|[:=])/giu

/**
 * The place of the final answer in a text: after the last marker ("####", "Answer:", "the answer is", "\boxed{") up to the end
 * of its line, else the last line that is not blank. Surrounding white space, quotation marks, brackets and a closing full
 * stop are no part of it. Positions are UTF-16 units; the span is empty where the text is. Linear in the text.
 *
 * @example answerSpan("5 + 7 is 12.\nThe answer is 12.") // { start: 27, end: 29 }
 */
export function answerSpan(text: string): { readonly start: number; readonly end: number } {
  let start = -1
  for (const match of text.matchAll(marker)) start = match.index + match[0].length
  const whole = text.trimEnd()
  if (start < 0 || start >= whole.length) start = whole.lastIndexOf("\n") + 1
  while (start < whole.length && /[\s"'([{*:]/.test(whole[start] as string)) start++
  const lineEnd = whole.indexOf("\n", start)
  let end = lineEnd < 0 ? whole.length : lineEnd
  while (end > start && /[\s"')\]}*.]/.test(whole[end - 1] as string)) end--
  return { start, end }
}
