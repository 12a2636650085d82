import { type ForeignLog, type ForeignRecord, isRecord } from "../core/foreign/foreign-log.ts"
import { contentHash, type JsonValue } from "../core/json.ts"
import type { Redaction } from "../text/personal-data/redaction.ts"
import { redactionSentence } from "../wording/redaction.ts"

/** An id that is made of what the sample holds, and the number of its repeat. */
const hashed = /^[0-9a-f]{16,64}(?=-\d{1,9}$|$)/

/**
 * A log with pseudonyms in place of personal data and secrets, before anything of it is kept: in what was asked and answered, in ids, in
 * reasons and names. An id that is a hash becomes one of the redacted sample: it says nothing of what was replaced. The last note says what
 * was replaced so far. Memory: two ids for each sample that was changed.
 */
export function redactedLog(log: ForeignLog, redaction: Redaction): ForeignLog {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  const idOf = (original: string, own: string): string => {
    const existing = ids.get(original)
    if (existing !== undefined) return existing
    let id = own
    for (let i = 2; taken.has(id); i++) id = `${own}-${i}`
    taken.add(id)
    ids.set(original, id)
    return id
  }
  const redacted = async (read: ForeignRecord): Promise<ForeignRecord> => {
    const [hash] = hashed.exec(read.sample.id) ?? []
    // A hash may be of digits alone, and look like a card.
    const foreignRecord = hash === undefined ? read : { ...read, sample: { ...read.sample, id: "" } }
    const { sample, answer, ...rest } = await redaction.record(foreignRecord)
    const whole = { ...rest, sample, answer: answer && answer !== read.answer ? { ...answer, logprobs: null } : answer }
    if (sample === foreignRecord.sample) return { ...whole, sample: read.sample }
    if (hash === undefined) return { ...whole, sample: { ...sample, id: idOf(read.sample.id, sample.id) } }
    const own = contentHash([sample.input as JsonValue, [...sample.choices], [...sample.references]], hash.length)
    const id = idOf(read.sample.id, own + read.sample.id.slice(hash.length))
    // A question that comes again is in the cluster of the first.
    return { ...whole, sample: { ...sample, id, ...(sample.cluster === hash && { cluster: own }) } }
  }
  return {
    ...log,
    get notes() {
      return [...log.notes, redactionSentence(redaction.counts())]
    },
    async *records() {
      for await (const read of log.records()) yield await (isRecord(read) ? redacted(read) : redaction.value(read))
    },
  }
}
