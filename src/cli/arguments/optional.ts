/** An object with this one property, or with none where there is no value: what TypeScript asks of optional properties. */
export function optional<Name extends string, T>(name: Name, value: T | undefined): Partial<Record<Name, T>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, T>>)
}
