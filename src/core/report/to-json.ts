/** Typed data as the JSON that a section carries: what is undefined is left out, what is not finite is an error. */
export function toJson<Data extends object>(data: Data): Data {
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) => {
      if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${key} is not a finite number`)
      return value
    }),
  ) as Data
}
