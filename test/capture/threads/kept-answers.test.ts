import { describe, expect, it } from "vitest"
import { type PackedAnswers, unpackAnswers } from "../../../src/capture/threads/answer-batch.ts"
import { createKeptAnswers } from "../../../src/capture/threads/kept-answers.ts"
import { Recording } from "../../../src/capture/wire/recording.ts"
import { WireJob } from "../../../src/capture/wire/wire-job.ts"

const shape = { head: "", timeouts: { connectMs: 0, firstTokenMs: 0, gapMs: 0, totalMs: 0 }, maxAnswerBytes: 1e6 }

function answered(id: number, length: number): WireJob {
  const job = new WireJob(id, shape, null)
  job.recording = new Recording()
  job.recording.begin(id)
  job.recording.add(new Uint8Array(length).fill(id % 256), 0, length)
  return Object.assign(job, { status: 200, sendMs: 0, endMs: id, headText: "HTTP/1.1 200 OK\r\n\r\n" })
}

function idsOf(packed: readonly PackedAnswers[]): readonly number[] {
  const ids: number[] = []
  for (const { answers } of packed)
    unpackAnswers(
      answers,
      () => 0,
      (id, { chunks }) => {
        expect(chunks[0]?.[0]).toBe(id % 256)
        ids.push(id)
      },
    )
  return ids
}

describe("kept answers", () => {
  it("are given back in order, each once", () => {
    const early: PackedAnswers[] = []
    const kept = createKeptAnswers((packed) => early.push(packed))
    for (let id = 0; id < 100; id++) kept.add(answered(id, 10))
    expect(idsOf(kept.take())).toEqual(Array.from({ length: 100 }, (_, id) => id))
    expect(kept.take()).toEqual([])
    expect(early).toEqual([])
  })

  it("are bounded: beyond, the oldest are handed over, and none is lost", () => {
    const early: PackedAnswers[] = []
    const kept = createKeptAnswers((packed) => early.push(packed), 100_000)
    for (let id = 0; id < 40_000; id++) kept.add(answered(id, 100))
    const rest = kept.take()
    const bytes = rest.reduce((sum, { answers }) => sum + answers.bytes.length + answers.numbers.byteLength, 0)
    expect(bytes).toBeLessThanOrEqual(100_000)
    expect(idsOf([...early, ...rest])).toEqual(Array.from({ length: 40_000 }, (_, id) => id))
  })

  it("count long answers before they are packed", () => {
    const early: PackedAnswers[] = []
    const kept = createKeptAnswers((packed) => early.push(packed), 3_000_000)
    for (let id = 0; id < 4; id++) kept.add(answered(id, 2_000_000))
    expect(idsOf(early)).toEqual([0, 1, 2])
    expect(idsOf(kept.take())).toEqual([3])
  })
})
