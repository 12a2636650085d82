import { escaped } from "../../src/words/escape.ts"
import { plainText } from "../../src/words/text.ts"
import { unbrokenPieces } from "../../src/words/unbroken.ts"
import { contentSource } from "../page/head.ts"

/** A plain page of `evalkit view`, with the headers that go with it. */
export interface PlainDocument {
  readonly html: string
  /** The part of it that changes: its main element. */
  readonly main: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the plain pages are made with. */
export interface ViewAssets {
  readonly style: string
  /** What keeps lists fresh and reads keys. */
  readonly script: string
}

/** A text for HTML, in elements and attributes: controls removed, on one line, escaped. */
export function html(text: string, limit = 300): string {
  return escaped(plainText(text, limit))
}

/** The same for elements alone, with names and dates in one piece each: `s-q4_0`. */
export function namesHtml(text: string, limit = 300): string {
  return unbrokenPieces(plainText(text, limit))
    .map((piece) => (piece.isWhole ? `<span class="whole">${escaped(piece.text)}</span>` : escaped(piece.text)))
    .join("")
}

/** A part of a path for HTML: every id, however it is spelt. */
export function pathPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))
}

/**
 * A plain document: style and script by hash, forms and links to its own server only. With `refreshSeconds` its script asks for news now
 * and then, and puts in place what changed.
 */
export function plainDocument(
  page: {
    readonly title: string
    readonly body: string
    readonly refreshSeconds?: number
    /** The page is another one now: its script loads it anew. */
    readonly isOver?: boolean
  },
  { style, script }: ViewAssets,
): PlainDocument {
  const { title, body, refreshSeconds, isOver } = page
  const policy = [
    "default-src 'none'",
    `style-src '${contentSource(style)}'`,
    ...(script === "" ? [] : [`script-src '${contentSource(script)}'`, "connect-src 'self'"]),
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const refresh = refreshSeconds === undefined ? "" : ` data-refresh="${refreshSeconds}"`
  const main = `<main${refresh}${isOver ? " data-over" : ""}>${body}</main>`
  return {
    html: [
      "<!doctype html>",
      '<html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<link rel="icon" href="data:,">',
      `<title>${html(title)}</title>${style === "" ? "" : `<style>${style}</style>`}</head>`,
      `<body class="view"><header class="top"><nav aria-label="evalkit"><a href="/">evalkit: all runs</a></nav></header>${main}${script === "" ? "" : `<script type="module">${script}</script>`}</body></html>\n`,
    ].join("\n"),
    main,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") },
  }
}
