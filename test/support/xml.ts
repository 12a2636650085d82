/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  readonly text: string
}

const token = /<\?xml[^<>]*\?>|<\/([\w.-]+)\s*>|<([\w.-]+)((?:\s+[\w.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy

/**
 * A strict reader of plain XML (elements, attributes, text, character references): throws on anything that is not
 * well-formed and on characters that XML 1.0 forbids.
 */
export function parseXml(source: string): XmlElement {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(source)) throw new Error("forbidden character")
  const root = { name: "", attributes: new Map<string, string>(), children: [] as XmlElement[], text: "" }
  const stack = [root]
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const start = token.lastIndex
    const match = token.exec(source)
    if (!match) throw new Error(`not well-formed at ${start}: ${source.slice(start, start + 60)}`)
    const [, close, open, attributes = "", empty, text] = match
    const top = stack.at(-1) as typeof root
    if (text !== undefined) top.text += decode(text)
    if (close !== undefined && (stack.length < 2 || stack.pop()?.name !== close)) throw new Error(`stray </${close}>`)
    if (open === undefined) continue
    const pairs = [...attributes.matchAll(/([\w.-]+)="([^"]*)"/g)]
    const element = {
      name: open,
      attributes: new Map(pairs.map(([, name = "", value = ""]) => [name, decode(value)])),
      children: [],
      text: "",
    }
    if (element.attributes.size !== pairs.length) throw new Error(`an attribute of <${open}> appears twice`)
    top.children.push(element)
    if (empty !== "/") stack.push(element)
  }
  if (stack.length !== 1 || root.children.length !== 1) throw new Error("one root element is wanted")
  return root.children[0] as XmlElement
}

function decode(text: string): string {
  if (/&(?!#\d+;|amp;|lt;|gt;|quot;|apos;)/.test(text)) throw new Error(`a bare ampersand: ${text.slice(0, 60)}`)
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
