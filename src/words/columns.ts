import { plainText } from "./text.ts"

/** From which columns the fields of samples were read, a line; nothing where there are none. */
export function columnsLine(columns: ReadonlyMap<string, string>): string {
  const read = [...columns].map(([field, column]) =>
    field === column ? field : `${field} from "${plainText(column, 60)}"`,
  )
  return read.length === 0 ? "" : `columns: ${read.join(", ")}\n`
}
