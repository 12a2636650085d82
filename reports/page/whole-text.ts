import { inputMedia } from "../../src/core/media/message-parts.ts"
import { describePart } from "../../src/core/media/part.ts"
import type { ReportSample } from "../../src/core/report/report-sample.ts"
import { inputText } from "../../src/core/sample.ts"

/**
 * Everything that was said of a sample as one plain text: input, passages, what was expected, and every answer with its
 * reasoning, tool calls and reasons. Begins with a byte-order mark, so that browsers read it as UTF-8.
 */
export function wholeText({ sample, answers }: ReportSample): string {
  const parts = [
    part(`sample ${sample.id}`, inputText(sample)),
    ...inputMedia(sample.input).map((mediaPart) => `[${describePart(mediaPart)}]\n`),
    ...sample.context.map((passage, index) => part(`passage ${index + 1}`, passage)),
    ...sample.references.map((reference) => part("expected", reference)),
    ...answers.flatMap(({ generation, reasons }) => {
      const of = `${generation.variant}${generation.repeat > 0 ? `, repeat ${generation.repeat}` : ""}`
      return [
        part(`answer of ${of} (${generation.outcome})`, generation.text),
        ...(generation.reasoning ? [part(`reasoning of ${of}`, generation.reasoning)] : []),
        ...(generation.toolCalls.length > 0
          ? [part(`tool calls of ${of}`, JSON.stringify(generation.toolCalls, null, 2))]
          : []),
        ...(generation.returned?.passages ?? []).map((text, i) => part(`passage ${i + 1} retrieved by ${of}`, text)),
        ...(generation.returned?.fields
          ? [part(`returned by ${of}`, JSON.stringify(generation.returned.fields, null, 2))]
          : []),
        ...Object.entries(reasons).map(([metric, reason]) => part(`${metric} of ${of}`, reason)),
      ]
    }),
  ]
  return `\ufeff${parts.join("\n")}`
}

function part(title: string, text: string): string {
  return `=== ${title.replace(/\s+/g, " ")}\n${text}\n`
}
