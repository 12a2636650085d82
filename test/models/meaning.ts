/**
 * What a prompt of the tiny models is about, read back from its text alone: written apart from the generators, so that
 * it does not share their mistakes. Each meaning is one line; a prompt may have several (a passage states several facts).
 */
export function meaningsOf(task: string, prompt: string, answer: string): readonly string[] {
  switch (task) {
    case "arithmetic":
      return [arithmetic(prompt)]
    case "qa":
    case "cite":
      return statements(prompt).sort()
    case "summary":
      return statements(resolvePronouns(prompt))
    case "translation":
      return [sentence(prompt)]
    case "sort":
      return [`sort ${[...answer.split(", ")].sort().join(" ")}`]
    case "date":
      return [`date ${/\d{4}-\d\d-\d\d/.exec(`${prompt} ${answer}`)?.[0]}`]
    case "unit":
      return [prompt.replace(/^Convert |\.$/g, "")]
    case "sentiment":
      return [clauses(prompt)]
    case "choice":
      return [`${prompt.split("?")[0]} ${(prompt.match(/\) \w+/g) ?? []).sort().join("")}`]
    case "application":
      return [`application ${(prompt.match(/\d+/g) ?? []).join(" ")}`]
    case "refusal":
      return [
        `${/password|phone|salary|address|bank|medical|twice|Greet|Thank|Wish/.exec(prompt)} ${capitalised(prompt)}`,
      ]
    case "judge":
    case "pairwise":
      return [/^Reference: (.*?) (?:Answer|A): /.exec(prompt)?.[1] ?? prompt]
    case "tool":
      return [answer]
    default:
      return [prompt]
  }
}

function arithmetic(prompt: string): string {
  const operands = (prompt.match(/\d+/g) ?? []).map(Number).sort((a, b) => a - b)
  const operation = /plus|\+/.test(prompt) ? "+" : /minus|-/.test(prompt) ? "-" : "*"
  return `${operands[0]} ${operation} ${operands[1]}`
}

const patterns: readonly [string, RegExp][] = [
  ["city", /(\w+) (?:lives in|has a flat in) (\w+)\./g],
  ["job or pet", /(\w+) (?:works as|is|owns|has) a (\w+)\./g],
  ["food", /(\w+) (?:likes to eat|loves) (\w+)\./g],
  ["car", /(\w+) (?:drives|bought) a (\w+) car\./g],
]

function statements(text: string): string[] {
  return patterns.flatMap(([kind, pattern]) => [...text.matchAll(pattern)].map((m) => `${m[1]} ${kind} ${m[2]}`))
}

function resolvePronouns(prompt: string): string {
  const text = prompt.replace("Summarize in one sentence: ", "")
  return text.replaceAll(/\b(He|She)\b/g, text.split(" ")[0] as string)
}

function sentence(prompt: string): string {
  const english = prompt
    .replace(/^.*?[:?] /, "")
    .replace(/\.$/, "")
    .toLowerCase()
  const time = /\b(today|tomorrow|now|often|here)\b/.exec(english)?.[0] ?? ""
  return `${english.replace(time, "").replace(/ +/g, " ").trim()} / ${time}`
}

function clauses(prompt: string): string {
  const review = /wrote: (.*)\. Is the review/.exec(prompt)?.[1]?.toLowerCase() ?? ""
  const parts = review.split(/,? (?:and|but) /).map((part) => part.replace(/ (very|really) /, " "))
  return parts.sort().join(" / ")
}

function capitalised(prompt: string): string {
  return (prompt.match(/\b[A-Z][a-z]+\b/g) ?? []).at(-1) ?? ""
}
