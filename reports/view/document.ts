import { createHash } from "node:crypto"
import { escaped } from "../format/escape.ts"
import { plainText } from "../format/text.ts"

/** A plain page of `evalkit view`, with the headers that go with it. */
export interface PlainDocument {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** A text for HTML, in elements and attributes: controls removed, on one line, escaped. */
export function html(text: string, limit = 300): string {
  return escaped(plainText(text, limit))
}

/**
 * A plain document: style by hash, forms and links to its own server only. With `refreshSeconds` a script of a few lines,
 * allowed by its hash, fetches the page anew now and then and replaces what is shown, unless the reader is at a control.
 */
export function plainDocument(options: {
  readonly title: string
  readonly style: string
  readonly body: string
  readonly refreshSeconds?: number
}): PlainDocument {
  const { title, style, body, refreshSeconds } = options
  const script = refreshSeconds === undefined ? null : refreshScript(refreshSeconds)
  const policy = [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    ...(script === null ? [] : [`script-src '${hash(script)}'`, "connect-src 'self'"]),
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    html: [
      "<!doctype html>",
      '<html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<link rel="icon" href="data:,">',
      `<title>${html(title)}</title><style>${style}</style></head>`,
      `<body><main>${body}</main>${script === null ? "" : `<script>${script}</script>`}</body></html>\n`,
    ].join("\n"),
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") },
  }
}

/** Looks for news; a run that has its report by now is loaded as a whole. */
function refreshScript(seconds: number): string {
  return [
    "setInterval(async () => {",
    "  if (document.hidden || document.activeElement !== document.body) return",
    "  const reply = await fetch(location.href).catch(() => null)",
    "  if (!reply?.ok) return",
    '  const news = new DOMParser().parseFromString(await reply.text(), "text/html")',
    '  if (news.getElementById("page")) return location.reload()',
    '  document.querySelector("main").replaceWith(news.querySelector("main"))',
    `}, ${seconds * 1000})`,
  ].join("\n")
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`
}
