import { escaped } from "../../src/words/escape.ts"
import { html, type PlainDocument, plainDocument, type ViewAssets } from "./document.ts"

/**
 * What somebody sees who has no token, or gave a wrong one: nothing of the runs, and a field for it. Its form needs no script, and sends the
 * token in its body to the page's own address, so that no address holds it. Without `hasForm` there is none.
 */
export function refusedPage(hasForm: boolean, isWrong: boolean, { style }: ViewAssets): PlainDocument {
  const wrong = isWrong
    ? '<p class="doubt" role="alert">That token did not open this page: was all of it copied?</p>'
    : ""
  const form = !hasForm
    ? "<p>Open the address that evalkit view printed.</p>"
    : '<form method="post"><div class="fields"><label><span>token</span><input type="password" name="token" required maxlength="4096" autocomplete="current-password" autofocus></label></div><p><button type="submit" class="main-act">open</button></p></form><p class="legend">Where evalkit view printed an address with a token in it, that address opens the page, too. A team has its token from whoever started the server.</p>'
  const body = `<section><h1>A token is needed</h1>${wrong}${form}</section>`
  return plainDocument({ title: "evalkit: a token is needed", body }, { style, script: "" })
}

/** The answer to a first visit: it gives the cookie, and goes on without the token in the address. */
export function firstVisit(path: string): PlainDocument {
  const address = escaped(path)
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
