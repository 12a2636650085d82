import { escaped } from "../format/escape.ts"
import { html, type PlainDocument, plainDocument, type ViewAssets } from "./document.ts"

/** What somebody sees who has no token, or a wrong one in the address: nothing of the runs, and what to do. */
export function refusedPage(isTokenGiven: boolean): PlainDocument {
  const wrong = isTokenGiven ? "<p>The token in the address did not open this page: was all of it copied?</p>" : ""
  return bare(
    "evalkit: a token is needed",
    `<h1>A token is needed</h1>${wrong}<p>Open the address that evalkit view printed, or add <code>?token=</code> and the team's token to the address of this page once.</p>`,
  )
}

/** The answer to a first visit: it gives the cookie, and goes on without the token in the address. */
export function firstVisit(path: string): PlainDocument {
  const address = escaped(path.startsWith("//") ? "/" : path)
  return bare(
    "evalkit",
    `<h1>One moment</h1><p><a href="${address}">go on</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${address}">`,
  )
}

/** A page that says what went wrong. */
export function errorPage(title: string, words: string, assets: ViewAssets): PlainDocument {
  const body = `<section><h1>${html(title)}</h1><p>${html(words, 1000)}</p><p><a href="/">all runs</a></p></section>`
  return plainDocument({ title: `evalkit: ${title}`, body }, assets)
}

function bare(title: string, body: string, head = ""): PlainDocument {
  const main = `<main>${body}</main>`
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>${title}</title>${head}</head><body>${main}</body></html>\n`,
    main,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  }
}
