/** Values of an option that may be given several times and with commas: `--on a,b --on c`. */
export function listOption(value: unknown): string[] {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return list
    .flatMap((part) => String(part).split(","))
    .map((part) => part.trim())
    .filter((part) => part !== "")
}
