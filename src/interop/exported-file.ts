/** A file of an export: its path below the folder that was named, and its text piece by piece. */
export interface ExportedFile {
  /** Parts joined by `/`; each of letters, digits, `.`, `_` and `-`. */
  readonly name: string
  readonly chunks: () => AsyncIterable<string> | Iterable<string>
}

/** What a run does not know of its export. */
export interface ExportFacts {
  /** Version of evalkit. */
  readonly version: string
  /** ISO 8601: when the files are made. */
  readonly now: string
}

/**
 * A name of somebody else's as a part of a path, unlike those that were made before: letters, digits, `.`, `_` and `-`, not more than 80,
 * never hidden.
 *
 * @example pathPart("../a b", new Set()) // "a-b"
 */
export function pathPart(text: string, taken: Set<string>, otherwise = "unnamed"): string {
  const plain = text
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 80)
  const base = plain === "" ? otherwise : plain
  let name = base
  // File systems that know no upper case take a and A for one.
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`
  taken.add(name.toLowerCase())
  return name
}
