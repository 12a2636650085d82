import type { Checker, Symbol as TypeSymbol } from "typescript/unstable/sync"

/** The first paragraph of a doc comment on one line, without its links; undefined where there is none. */
export function describeSymbol(symbol: TypeSymbol, checker: Checker): string | undefined {
  const text = symbol
    .getDocumentationComment(checker)
    .replaceAll(/\{@link(?:code|plain)? +([^}|]+?)(?: *\|[^}]*)?\}/g, "$1")
  const paragraph = text
    .split(/\n\s*\n/)[0]
    ?.replaceAll(/\s+/g, " ")
    .trim()
  return paragraph || undefined
}
