import { createHash } from "node:crypto"
import type { Write } from "../../../reports/export/write.ts"
import type { PlainDocument } from "../../../reports/view/document.ts"

/** What a page of `evalkit view` is asked. */
export interface ViewRequest {
  /** Segments of the path, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** What a form sent; null for a look. */
  readonly form: URLSearchParams | null
  /** Whether the page's own script asks for what changes alone. */
  readonly isPart: boolean
  readonly readOnly: boolean
  /** For the forms of the page. */
  readonly formToken: string
}

/** What is answered: a text, or a stream of it. */
export interface ViewReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ((write: Write) => Promise<void>)
}

/** A page as a reply; only its changing part, where the page's script asks for that. */
export function pageReply(document: PlainDocument, { isPart }: Pick<ViewRequest, "isPart">, status = 200): ViewReply {
  if (!isPart) return { status, headers: document.headers, body: document.html }
  const etag = `"${createHash("sha256").update(document.main).digest("base64url").slice(0, 24)}"`
  return { status, headers: { "content-type": "text/html; charset=utf-8", etag }, body: document.main }
}

/** Sends a browser to another page after a form. */
export function redirect(location: string): ViewReply {
  return { status: 303, headers: { location, "content-type": "text/plain; charset=utf-8" }, body: "" }
}
