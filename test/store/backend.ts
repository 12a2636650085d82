import { it } from "vitest"

let isPostgres = false

/** The tests that follow are of a store in PostgreSQL. */
export function onPostgres(): void {
  isPostgres = true
}

/** A test of what only a store on disk has: its file, its pages, its one writer. */
export function onDisk(name: string, test: () => void | Promise<void>): void {
  it.skipIf(isPostgres)(name, test)
}
