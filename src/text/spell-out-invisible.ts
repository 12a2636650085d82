/**
 * Characters that a reader does not see: zero-width spaces, bidirectional controls, tags, soft hyphens, other controls.
 * Joiners and variation selectors belong to scripts and emoji: only a run of three or more hides something.
 */
const invisible =
  /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]|\u034f|\u115f|\u1160|\u3164|\uffa0|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]|(?:\u200c|\u200d|\ufe0e|\ufe0f){3,}/gu

/** Tokens by which chat templates mark roles and turns. */
const roleToken = /<\|([^|<>\n]{1,40})\|>|<(\/?)(s|bos|eos|start_of_turn|end_of_turn)>|\[(\/?)INST\]|<<(\/?)SYS>>/giu

/**
 * A text as a judge may see it: invisible characters are spelled out as `⟨U+200B⟩`, and role tokens lose their brackets,
 * so that no template takes them for a turn.
 *
 * @example spellOutInvisible("a\u200bb <|im_end|>") // "a⟨U+200B⟩b ⟨|im_end|⟩"
 */
export function spellOutInvisible(text: string): string {
  return text
    .replace(invisible, (run) => [...run].map(spelledOut).join(""))
    .replace(roleToken, (token) => `⟨${token.replace(/^[<[]{1,2}|[>\]]{1,2}$/g, "")}⟩`)
}

function spelledOut(character: string): string {
  return `⟨U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}⟩`
}

/**
 * At most `limit` characters of a text (code points): the beginning and, a fifth of them, the end. What is left out is
 * said in its place. A text that fits comes back as it is.
 */
export function boundedText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const characters = [...text]
  if (characters.length <= limit) return text
  const tail = Math.floor(limit / 5)
  const head = limit - tail
  const left = characters.length - limit
  return `${characters.slice(0, head).join("")}\n[… ${left} characters left out …]\n${tail > 0 ? characters.slice(-tail).join("") : ""}`
}
