import { decideAll } from "./real-pairs.ts"
import { margins, printPairs, publishedPairs } from "./real-pairs-table.ts"

/**
 * Prints the table of real pairs in README.md: `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/verdicts/real-pairs-main.ts [share]`, where
 * the folder has `zeroeval/readings.jsonl`, and the share is of the pairs.
 */
const pairs = publishedPairs(Number(process.argv[2] ?? 1))
printPairs(pairs, [100, 200, 400], (pair, i, n) => decideAll(pair, n, margins, `${pair.task} ${i} ${n}`))
