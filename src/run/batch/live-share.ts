import { createRandom } from "../../core/random.ts"

/**
 * Which samples a run by batch asks live: a seeded draw of its own for each sample, so that every variant, repeat and process draws the
 * same ones, and further samples change nothing for those before them.
 *
 * @param share of the samples, about; 0..1
 */
export function liveSamples(seed: number, share: number): (sampleId: string) => boolean {
  if (share <= 0) return () => false
  return (sampleId) => createRandom(`${seed}/live/${sampleId}`).next() < share
}
