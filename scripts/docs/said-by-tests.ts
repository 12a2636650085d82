/** Tests of one group, as sentences. */
export interface SaidGroup {
  /** What the group is about; its tests go on with the sentence. */
  readonly about: string
  readonly sentences: readonly string[]
}

const heads =
  /^(\s*)(describe|it|test|\w*[tT]est|\w*It)(?:\.\w+)?(?:\(([^"`\n]*)\))?\(\s*(["`])((?:\\.|(?!\4)[\s\S])+)\4/gm

/**
 * What the tests of a file say, group by group. In a test that is made once for each row of a table, the rows' names stand where the
 * title has `$name`; other places that a title leaves open are left out.
 */
export function saidByTests(text: string): readonly SaidGroup[] {
  const groups: { about: string; sentences: string[] }[] = []
  for (const [, , kind, table = "", , title = ""] of text.matchAll(heads)) {
    const sentence = readable(title, namesOf(text, table))
    if (kind === "describe") groups.push({ about: sentence, sentences: [] })
    else if (sentence !== "") (groups.at(-1) ?? newGroup(groups)).sentences.push(sentence)
  }
  return groups.filter(({ about, sentences }) => about !== "" || sentences.length > 0)
}

function newGroup(groups: { about: string; sentences: string[] }[]) {
  const group = { about: "", sentences: [] }
  groups.push(group)
  return group
}

function readable(title: string, names: string): string {
  return title
    .replaceAll(/\$\{[^}]*\}|\$name|%s/g, names)
    .replaceAll(/,? ?\b(?:on|of|n) (?=\$id|%d)|: n %d/g, " ")
    .replaceAll(/\$\w+|%[ds]/g, "")
    .replaceAll("%%", "%")
    .replaceAll("\\", "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([,:;])/g, "$1")
    .replaceAll(/[:;],/g, ",")
    .replace(/[:,\s]+$/, "")
    .trim()
}

/** `bounded, dense; sparse`: the names of a table's rows; empty where it has none that stand in the file. */
function namesOf(text: string, table: string): string {
  const start = /^\w+$/.test(table) ? text.search(new RegExp(`^const ${table}\\b.* = \\[`, "m")) : -1
  if (start < 0) return ""
  const rows = text.slice(start, text.indexOf("\n]", start))
  return Array.from(rows.matchAll(/\bname: "([^"]+)"/g), ([, name = ""]) => name).join("; ")
}
