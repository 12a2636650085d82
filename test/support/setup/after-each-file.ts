import { afterAll } from "vitest"
import { closeLoopback } from "../loopback.ts"
import { removeScratch } from "../scratch.ts"

// The runner executes this file for every test file. A hook in scratch.ts itself would be one of the first file alone, where
// many files share one process and its modules.
afterAll(removeScratch)
afterAll(closeLoopback)
