/** What a doc comment says, without its marks. */
export interface DocComment {
  /** Paragraphs, blank lines between, in Markdown. */
  readonly text: string
  readonly examples: readonly string[]
  readonly throws: readonly string[]
  /** `name text` of each parameter that has a line of its own. */
  readonly parameters: readonly string[]
  readonly returns: string | null
}

/** Reads a doc comment as it stands in the source; null reads as an empty one. */
export function readDocComment(comment: string | null): DocComment {
  const body = (comment ?? "")
    .replace(/^\s*\/\*\*/, "")
    .replace(/\*\/\s*$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim()
    .replaceAll(/\{@link (\w+)(?:\.\w+)?\}/g, "`$1`")
    .replace(/\s*@(?:public|experimental)\b\s*$/, "")
  const [text = "", ...tags] = body.split(/(?:^|\s)@(?=(?:example|throws|param|returns|see)\b)/)
  const all = (name: string) =>
    tags.flatMap((tag) =>
      tag.startsWith(name)
        ? [
            tag
              .slice(name.length)
              .replace(/\s*@(?:public|experimental)\b\s*$/, "")
              .trim(),
          ]
        : [],
    )
  return {
    text: paragraphs(text),
    examples: all("example"),
    throws: all("throws").map((name) => paragraphs(name.replace(/^\{(\w+)\}/, "`$1`"))),
    parameters: all("param").map(paragraphs),
    returns: all("returns").map(paragraphs)[0] ?? null,
  }
}

/** Lines of one paragraph joined; lists and tables stay as they are. */
function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((line) => (/^\s*[-|*]/m.test(line) ? line : line.replaceAll(/\s*\n\s*/g, " ")))
    .join("\n\n")
}
