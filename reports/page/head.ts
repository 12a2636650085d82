import { createHash } from "node:crypto"
import { escaped } from "../../src/words/escape.ts"
import { plainText } from "../../src/words/text.ts"

/** What the head of a page says. */
export interface PageHead {
  readonly title: string
  /** The page's only style sheet. */
  readonly style: string
  /** Directives of the content-security policy; everything that they do not allow is refused. */
  readonly policy: readonly string[]
}

/** A self-contained page from its doctype to the end of its head: it loads nothing, and sends no address to anybody. */
export function pageHead({ title, style, policy }: PageHead): string {
  const directives = ["default-src 'none'", ...policy, "img-src data:", "base-uri 'none'", "form-action 'none'"]
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${directives.join("; ")}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${escaped(plainText(title, 200))}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "",
  ].join("\n")
}

/** The hash by which a content-security policy knows an inline element. */
export function contentSource(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`
}
