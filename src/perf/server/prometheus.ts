/** One line of a `/metrics` page. */
export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A page of more lines than any server has metrics is not read on. */
export const maxSamples = 50_000
const longestLine = 8_192
const maxLabels = 64

/**
 * Reads Prometheus' text format (0.0.4) and what OpenMetrics adds to it: `name{label="value"} 1.5 [time] [# exemplar]`. Comments,
 * types and what cannot be read are passed over: a server may write anything. Values may be `NaN` or infinite.
 *
 * Source: prometheus.io/docs/instrumenting/exposition_formats
 *
 * @example parsePrometheus('up{job="a"} 1')[0] // { name: "up", labels: { job: "a" }, value: 1 }
 */
export function parsePrometheus(text: string): readonly MetricSample[] {
  const samples: MetricSample[] = []
  for (let at = 0; at < text.length && samples.length < maxSamples; ) {
    const newline = text.indexOf("\n", at)
    const end = newline < 0 ? text.length : newline
    const sample = end - at > longestLine ? null : parseLine(text.slice(at, end))
    if (sample) samples.push(sample)
    at = end + 1
  }
  return samples
}

function parseLine(line: string): MetricSample | null {
  const name = /^\s*([a-zA-Z_:][a-zA-Z0-9_:]*)/.exec(line)
  if (!name) return null
  let at = name[0].length
  const labels: Record<string, string> = Object.create(null)
  if (line[at] === "{") {
    const end = readLabels(line, at + 1, labels)
    if (end === null) return null
    at = end
  }
  const [word = ""] = line.slice(at).trim().split(/\s+/, 1)
  const value = numberOf(word)
  return value === null ? null : { name: name[1] as string, labels, value }
}

/** Returns the place behind the closing brace; null where the labels cannot be read. */
function readLabels(line: string, from: number, labels: Record<string, string>): number | null {
  const label = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|(?=\}))/y
  label.lastIndex = from
  for (let count = 0; count <= maxLabels; count++) {
    const start = label.lastIndex
    const match = label.exec(line)
    if (!match) {
      const rest = /\s*\}/y
      rest.lastIndex = start
      return rest.exec(line) ? rest.lastIndex : null
    }
    labels[match[1] as string] = (match[2] as string).replace(/\\(.)/g, (_, mark: string) =>
      mark === "n" ? "\n" : mark,
    )
  }
  return null
}

function numberOf(word: string): number | null {
  if (/^[+-]?Inf$/i.test(word)) return word.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (/^NaN$/i.test(word)) return Number.NaN
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word) ? Number(word) : null
}
