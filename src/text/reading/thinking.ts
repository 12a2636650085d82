/** A stretch of a text, in UTF-16 units: from `start`, up to and without `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text with what its model thought apart from what it answered. */
export interface SeparatedText {
  readonly answer: string
  readonly thinking: string
  /** What of the text is no answer: thinking, its marks, and the blanks behind them; in order, not overlapping. */
  readonly outside: readonly Span[]
  /** The last block was never closed: the text ended while the model was thinking. */
  readonly isOpen: boolean
}

/**
 * The marks around thinking: DeepSeek, Qwen, GLM and others (`<think>` and its like; Seed, MiniMax with a prefix); Magistral; Cohere; Kimi;
 * OpenThinker; Gemma. Code in back quotes is looked at first: what stands there is written about, not meant.
 */
const marks =
  /(?<fence>^[ \t]{0,3}(?:```|~~~)[^\n]{0,200}$)|(?<code>`[^`\n]{1,200}`)|(?<open><(?:[a-z]{1,8}:)?(?:think|thinking|thought|thoughts|reasoning|reflection)(?:\s[^<>\n]{0,80})?>|\[THINK\]|<\|START_THINKING\|>|<\|begin_of_thought\|>|◁think▷|<\|channel>thought\b)|(?<close><\/(?:[a-z]{1,8}:)?(?:think|thinking|thought|thoughts|reasoning|reflection)>|\[\/THINK\]|<\|END_THINKING\|>|<\|end_of_thought\|>|◁\/think▷|<channel\|>)/gim

/** A part of a message in the format of gpt-oss, which names a channel for each; a template may have eaten the first mark. */
const channels =
  /(?:<\|channel\|>|^)\s{0,9}(analysis|commentary|final)\b[^<\n]{0,60}(?:<\|constrain\|>[^<\n]{0,60})?<\|message\|>/g
const channelEnd = /<\|(?:end|return|call|start|channel)\|>/g
/** The same where a server drops the marks and leaves the names of the channels. */
const bareChannels = /^\s{0,9}analysis(?=[\p{Lu}\p{Lo}"'“(\d])/u
const bareFinal = "assistantfinal"

const hints = /think|thought|reason|reflection|channel|analysis/i

/**
 * Separates what a model thought from what it answered, where its server does not: null where the text holds no thinking.
 *
 * The rules: a block begins with its mark at the beginning of the text or of a line, or behind another block, and ends with its closing mark.
 * A closing mark without an opening one ends thinking that began with the text (templates that open the block themselves). A block that is
 * never closed has no answer behind it. Of channels, only `final` is the answer. Marks in back quotes, in a code block that has both, and in
 * the middle of a line ("use <think> and </think>") are words of the answer. Linear in the text.
 *
 * @example separateThinking("<think>7? No.</think>\n\n12")?.answer // "12"
 */
export function separateThinking(text: string): SeparatedText | null {
  if (!hints.test(text)) return null
  const parts = ofChannels(text) ?? ofBareChannels(text) ?? ofBlocks(text)
  if (parts === null || parts.outside.length === 0) return null
  const outside = parts.outside.map(({ start, end }) => ({ start, end: end + blanksAt(text, end) }))
  const thinking = parts.thoughts.map(({ start, end }) => text.slice(start, end).trim()).filter((part) => part !== "")
  return { answer: without(text, outside).trim(), thinking: thinking.join("\n\n"), outside, isOpen: parts.isOpen }
}

/** What a reader of marks found: what is outside the answer, and what of that is thought. */
interface Found {
  readonly outside: readonly Span[]
  readonly thoughts: readonly Span[]
  readonly isOpen: boolean
}

function ofBlocks(text: string): Found | null {
  const outside: Span[] = []
  const thoughts: Span[] = []
  let began: { readonly at: number; readonly inner: number } | null = null
  /** Opening marks that are words of the answer, and whose closing ones are, too. */
  let mentions = 0
  let answerStart = 0
  for (const { index, end, kind } of marksOf(text)) {
    if (kind === "open") {
      if (began !== null) continue
      if (beginsLine(text, index, answerStart)) began = { at: index, inner: end }
      else mentions++
      continue
    }
    if (began === null && (mentions > 0 || isMention(text, index, end))) {
      mentions = Math.max(0, mentions - 1)
      continue
    }
    // Without an opening mark, everything before belongs to the thinking.
    const { at, inner } = began ?? { at: 0, inner: 0 }
    if (began === null) for (const list of [outside, thoughts]) list.length = 0
    outside.push({ start: at, end })
    thoughts.push({ start: inner, end: index })
    began = null
    answerStart = end
  }
  if (began !== null) {
    outside.push({ start: began.at, end: text.length })
    thoughts.push({ start: began.inner, end: text.length })
  }
  return { outside, thoughts, isOpen: began !== null }
}

interface Mark {
  readonly kind: "open" | "close"
  readonly index: number
  readonly end: number
}

/** The marks of a text, without those in code. */
function marksOf(text: string): readonly Mark[] {
  const all: Mark[] = []
  /** Where in `all` the code block began that the text is in. */
  let block: number | null = null
  for (const { index, groups, 0: mark } of text.matchAll(marks)) {
    if (groups?.fence !== undefined) {
      const inside = block === null ? [] : all.slice(block)
      // A block that has as many of both shows them; one that has not is torn by thinking around it.
      const opens = inside.filter(({ kind }) => kind === "open").length
      if (block !== null && inside.length === 2 * opens) all.length = block
      block = block === null ? all.length : null
    } else if (groups?.code === undefined)
      all.push({ kind: groups?.open === undefined ? "close" : "open", index, end: index + mark.length })
  }
  return all
}

function beginsLine(text: string, index: number, answerStart: number): boolean {
  let i = index
  while (i > answerStart && (text[i - 1] === " " || text[i - 1] === "\t")) i--
  return i === answerStart || text[i - 1] === "\n"
}

/** Whether a closing mark stands between words of a line. */
function isMention(text: string, index: number, end: number): boolean {
  return text[index - 1] === " " && text[end] === " "
}

function ofChannels(text: string): Found | null {
  const parts = [...text.matchAll(channels)]
  if (parts.length === 0) return null
  const outside: Span[] = []
  const thoughts: Span[] = []
  let last = 0
  let hasFinal = false
  for (const { 0: header, 1: name, index } of parts) {
    const start = index + header.length
    channelEnd.lastIndex = start
    const end = channelEnd.exec(text)?.index ?? text.length
    if (name !== "final") {
      thoughts.push({ start, end })
      continue
    }
    hasFinal = true
    outside.push({ start: last, end: start })
    last = end
  }
  if (last < text.length) outside.push({ start: last, end: text.length })
  return { outside, thoughts, isOpen: !hasFinal }
}

function ofBareChannels(text: string): Found | null {
  const head = bareChannels.exec(text)?.[0].length
  const final = text.lastIndexOf(bareFinal)
  if (head === undefined || final < 0) return null
  return {
    outside: [{ start: 0, end: final + bareFinal.length }],
    thoughts: [{ start: head, end: final }],
    isOpen: false,
  }
}

function blanksAt(text: string, index: number): number {
  let end = index
  while (end < text.length && /\s/.test(text[end] as string)) end++
  return end - index
}

function without(text: string, spans: readonly Span[]): string {
  let kept = ""
  let from = 0
  for (const { start, end } of spans) {
    kept += text.slice(from, start)
    from = Math.max(from, end)
  }
  return kept + text.slice(from)
}
