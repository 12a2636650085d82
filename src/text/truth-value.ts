/** A text as a truth value, in the spellings of JSON, Python and spreadsheets (`true`, `True`, `TRUE`); null: it is none. */
export function truthValue(text: string): boolean | null {
  const word = text.trim()
  if (/^(?:true|True|TRUE)$/.test(word)) return true
  return /^(?:false|False|FALSE)$/.test(word) ? false : null
}
