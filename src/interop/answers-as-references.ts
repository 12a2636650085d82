import { type ForeignLog, isRecord } from "../core/foreign/foreign-log.ts"
import { isAnswered } from "../core/outcome.ts"
import { languageOfText, loadDetector } from "../text/language.ts"

/**
 * A log whose samples hold what was answered as what is expected: the text as reference, the calls of tools (also none) as expected calls, the
 * language as `answer_language`. Metrics against them say whether a candidate answers as the incumbent does, which is no quality. References
 * that the log has of its own stay.
 */
export async function answersAsReferences(log: ForeignLog): Promise<ForeignLog> {
  await loadDetector()
  return {
    ...log,
    async *records() {
      for await (const read of log.records()) {
        if (!isRecord(read) || !read.answer || !isAnswered(read.answer.outcome) || read.sample.references.length > 0) {
          yield read
          continue
        }
        const { sample, answer } = read
        const { text, toolCalls } = answer
        const language = languageOfText(text)
        const metadata = language === null ? sample.metadata : { ...sample.metadata, answer_language: language }
        const calls = toolCalls.map(({ name, arguments: values }) => ({ name, arguments: values }))
        const isEmpty = calls.length === 0 && { empty: [...(sample.empty ?? []), "expectedTools" as const] }
        const references = text === "" ? [] : [text]
        yield { ...read, sample: { ...sample, references, expectedTools: calls, ...isEmpty, metadata } }
      }
    },
  }
}
