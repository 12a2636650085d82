/** What people call a data set: by its name, and what stands in the config itself, which has none, by its place. */
export function dataName({ name, source }: { readonly name: string; readonly source: string }): string {
  return source === "inline" ? "the data in the config" : name
}
