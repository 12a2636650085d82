import { createHash } from "node:crypto"
import { plainText } from "../format/text.ts"

/** A plain page of `evalkit view`, with the headers that go with it. */
export interface PlainDocument {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** A text for HTML, in elements and attributes: controls removed, on one line, escaped. */
export function html(text: string, limit = 300): string {
  return plainText(text, limit).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A document without any script: style by hash, forms and links to its own server only, reloaded now and then if asked. */
export function plainDocument(options: {
  readonly title: string
  readonly style: string
  readonly body: string
  readonly refreshSeconds?: number
}): PlainDocument {
  const { title, style, body, refreshSeconds } = options
  const hash = createHash("sha256").update(style).digest("base64")
  return {
    html: [
      "<!doctype html>",
      '<html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      ...(refreshSeconds === undefined ? [] : [`<meta http-equiv="refresh" content="${refreshSeconds}">`]),
      '<link rel="icon" href="data:,">',
      `<title>${html(title)}</title><style>${style}</style></head>`,
      `<body><main>${body}</main></body></html>\n`,
    ].join("\n"),
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  }
}
