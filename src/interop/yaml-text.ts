/** A value that {@link yamlText} can write. */
export type YamlValue =
  | string
  | number
  | boolean
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined }

/**
 * A value as YAML that readers of versions 1.1 and 1.2 understand alike: every text in double quotes with everything escaped that
 * one of them refuses or folds, numbers with a point before the exponent, members that are undefined left out.
 *
 * @example yamlText({ a: "no", b: [1e-7] }) // 'a: "no"\nb:\n  - 1.0e-7\n'
 */
export function yamlText(value: YamlValue): string {
  return `${lines(value).join("\n")}\n`
}

function lines(value: YamlValue): readonly string[] {
  if (isList(value)) {
    if (value.length === 0) return ["[]"]
    return value.flatMap((yamlValue) => lines(yamlValue).map((line, i) => `${i === 0 ? "- " : "  "}${line}`))
  }
  if (typeof value !== "object") return [scalar(value)]
  const members = Object.entries(value).filter((entry): entry is [string, YamlValue] => entry[1] !== undefined)
  if (members.length === 0) return ["{}"]
  return members.flatMap(([key, member]) => {
    const name =
      /^[a-z_][a-z0-9_]*$/i.test(key) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(key) ? key : quoted(key)
    const inner = lines(member)
    const isBlock = typeof member === "object" && inner[0] !== "[]" && inner[0] !== "{}"
    return isBlock ? [`${name}:`, ...inner.map((line) => `  ${line}`)] : [`${name}: ${inner[0]}`]
  })
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value)
}

function scalar(value: string | number | boolean): string {
  if (typeof value === "string") return quoted(value)
  if (typeof value === "boolean") return String(value)
  if (Number.isNaN(value)) return ".nan"
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf"
  // In YAML 1.1 a number with an exponent needs a point, and a sign behind the e.
  const [digits = "", exponent] = String(value).split("e")
  if (exponent === undefined) return digits
  return `${digits.includes(".") ? digits : `${digits}.0`}e${/^[+-]/.test(exponent) ? exponent : `+${exponent}`}`
}

function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
