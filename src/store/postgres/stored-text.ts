/**
 * PostgreSQL has no place for the character U+0000 in a text, and what a model writes may have one. It is kept as U+0001 and "0", and
 * U+0001 as itself and "1": the order of texts stays as it was.
 */
export function toStoredText(text: string): string {
  return /[\0\u0001]/.test(text) ? text.replace(/[\0\u0001]/g, (one) => (one === "\0" ? "\u00010" : "\u00011")) : text
}

/** The inverse of {@link toStoredText}. */
export function fromStoredText(text: string): string {
  return text.includes("\u0001") ? text.replace(/\u0001([01])/g, (_, one) => (one === "0" ? "\0" : "\u0001")) : text
}
