import { type JsonObjectAt, scanObjects } from "./json-objects.ts"

/** What a judge's reply states of its own, apart from what it quotes. */
export interface StatedJson {
  /** The reply with what it quotes as blanks: fenced texts of the prompt, and lines that begin with ">". Places are those of the reply. */
  readonly text: string
  /** The outermost objects. */
  readonly objects: readonly JsonObjectAt[]
  /** The text with the objects as blanks, too. */
  readonly outside: string
  /** The reply is one object and nothing else, but for a code fence. */
  readonly isWhole: boolean
  /** An object is broken or cut off, or has a member twice, so that nobody can tell which of its parts is quoted. */
  readonly isBroken: boolean
}

/** Texts between the marks of a prompt, closed or not, and lines that a ">" marks as another's. */
const quotations = /<<<[\da-f]{32} begin>>>[\s\S]*?(?:<<<[\da-f]{32} end>>>|(?![\s\S]))|^[^\S\n]{0,20}>.*$/gm

/** Reads which JSON objects a reply states. Linear in the reply, but for 100 braces that are tried. */
export function statedJson(reply: string): StatedJson {
  const text = reply.replace(quotations, blanks)
  const { objects, isBroken } = scanObjects(text, true)
  let outside = text
  for (const { start, end } of objects)
    outside = outside.slice(0, start) + blanks(outside.slice(start, end)) + outside.slice(end)
  const isWhole = objects.length === 1 && outside.replace(/```\w{0,20}|~~~\w{0,20}/g, "").trim() === ""
  const repeats = objects.some(({ start, end }) => {
    const members = membersAt(text.slice(start, end))
    return new Set(members.map(({ name }) => name)).size < members.length
  })
  return { text, objects, outside, isWhole, isBroken: isBroken || repeats }
}

/** The members of an object at its outermost level, named in small letters, repeated ones too, and where the value of each begins. */
export function membersAt(source: string): readonly { readonly name: string; readonly at: number }[] {
  const members: { readonly name: string; readonly at: number }[] = []
  let depth = 0
  let last = ""
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}[\]:,]/g)) {
    if (token === "{" || token === "[") depth++
    else if (token === "}" || token === "]") depth--
    else if (token === ":" && depth === 1 && last !== "") members.push({ name: nameOf(last), at: index + 1 })
    last = token.startsWith('"') ? token : ""
  }
  return members
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted)).toLowerCase()
  } catch {
    return quoted.slice(1, -1).toLowerCase()
  }
}

/**
 * Whether a text states members of these names itself ("verdict: yes", {"claims": []}): a reply that holds them beside other words may
 * quote them. Invisible characters and the width of letters do not hide a name.
 */
export function statesMember(texts: readonly string[], names: readonly string[]): boolean {
  return texts.some((text) => {
    const plain = text
      .normalize("NFKC")
      .replace(/\p{Cf}/gu, "")
      .toLowerCase()
    return names.some((name) => {
      for (let at = plain.indexOf(name); at >= 0; at = plain.indexOf(name, at + 1))
        if (/^(?:["'`*_”\\\s]{0,10}[:=]|\s{1,3}is\b|>)/.test(plain.slice(at + name.length, at + name.length + 14)))
          return true
      return false
    })
  })
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, " ")
}
