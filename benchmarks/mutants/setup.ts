import { appendFileSync } from "node:fs"
import { afterAll, expect } from "vitest"

// Wakes the mutant that EVALKIT_MUTANT names, and notes which mutants a file of tests comes by.
const awake = Number(process.env.EVALKIT_MUTANT ?? -1)
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
