import { splitWords } from "../text/python-text.ts"

/** Options of {@link tercomTokenizer}. */
export interface TercomOptions {
  readonly normalized: boolean
  readonly noPunctuation: boolean
  readonly asianSupport: boolean
  readonly caseSensitive: boolean
}

const asianPunctuation = /[\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb]/g
const fullWidthPunctuation = /[\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09]/g

/**
 * TER's tokenizer (Tercom's, as sacreBLEU has it). `normalized` separates punctuation, `noPunctuation` drops it,
 * `asianSupport` extends either to Chinese and Japanese.
 *
 * @example tercomTokenizer({ normalized: false, noPunctuation: true, asianSupport: false, caseSensitive: false })("Oh, no!") // ["oh", "no"]
 */
export function tercomTokenizer(options: TercomOptions): (text: string) => string[] {
  return (text) => {
    let line = options.caseSensitive ? text : text.toLowerCase()
    if (options.normalized) line = normalizeWestern(line)
    if (options.normalized && options.asianSupport) line = normalizeAsian(line)
    if (options.noPunctuation) line = line.replace(/[.,?:;!"()]/g, "")
    if (options.noPunctuation && options.asianSupport)
      line = line.replace(asianPunctuation, "").replace(fullWidthPunctuation, "")
    return splitWords(line)
  }
}

// The expressions are Tercom's definition, one after the other; none of them can backtrack by more than one character.
function normalizeWestern(text: string): string {
  const line = text
    .replaceAll("\n-", "")
    .replaceAll("\n", " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
  return ` ${line} `
    .replace(/([{-~[-` -&(-+:-@/])/g, " $1 ")
    .replaceAll("'s ", " 's ")
    .replace(/'s$/, " 's")
    .replace(/([^0-9])([.,])/gu, "$1 $2 ")
    .replace(/([.,])([^0-9])/gu, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ")
}

function normalizeAsian(text: string): string {
  return (
    text
      .replace(/[\u4e00-\u9fff\u3400-\u4dbf]/g, " $& ")
      .replace(/[\u31c0-\u31ef\u2e80-\u2eff]/g, " $& ")
      .replace(/[\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f]/g, " $& ")
      // Tercom writes 3f22 where 32ff is meant; kept, since scores must agree.
      .replace(/[\u3200-\u3f22]/g, " $& ")
      .replace(/^[\u3040-\u309f]+$/, "$& ")
      .replace(/^[\u30a0-\u30ff]+$/, "$& ")
      .replace(/^[\u31f0-\u31ff]+$/, "$& ")
      .replace(asianPunctuation, " $& ")
      .replace(fullWidthPunctuation, " $& ")
  )
}
