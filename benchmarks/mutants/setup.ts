import { appendFileSync, readFileSync } from "node:fs"
import { afterAll, expect } from "vitest"

// Wakes the mutant that the file EVALKIT_MUTANT names, and notes which mutants a file of tests comes by.
const awake = Number(readFileSync(process.env.EVALKIT_MUTANT ?? "", "utf8"))
const reached = new Set<number>()
const state = globalThis as { evalkitMutant?: (id: number) => boolean }
state.evalkitMutant = (id) => {
  reached.add(id)
  return id === awake
}

afterAll(() => {
  const notes = process.env.EVALKIT_MUTANTS_REACHED
  if (notes !== undefined)
    appendFileSync(notes, `${JSON.stringify({ file: expect.getState().testPath, reached: [...reached] })}\n`)
})
