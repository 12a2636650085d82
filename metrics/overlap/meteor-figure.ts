import { UsageError } from "../../src/core/errors.ts"
import type { MeteorAlignment } from "./meteor-alignment.ts"

/** The weights of METEOR, named as NLTK's. @public */
export interface MeteorWeights {
  /** Weight of precision against recall, 0..1; 0.9 by default, which favours recall. */
  readonly alpha?: number
  /** Exponent of the fragmentation penalty; 3 by default. */
  readonly beta?: number
  /** Largest fragmentation penalty, 0..1; 0.5 by default. */
  readonly gamma?: number
}

/**
 * The weights with their defaults.
 * @throws {UsageError} for weights out of their ranges
 */
export function meteorWeights({ alpha = 0.9, beta = 3, gamma = 0.5 }: MeteorWeights, metric: string) {
  if (!(alpha >= 0 && alpha <= 1 && beta >= 0 && gamma >= 0 && gamma <= 1))
    throw new UsageError("alpha and gamma must be from 0 to 1, beta from 0", {
      where: `${metric}({ alpha: ${alpha}, beta: ${beta}, gamma: ${gamma} })`,
    })
  return { alpha, beta, gamma }
}

/** METEOR's figure of an alignment: weighted F of the matches, less the penalty for scattered ones. 0..1. */
export function meteorFigure(
  { matches, chunks }: MeteorAlignment,
  answerWords: number,
  referenceWords: number,
  { alpha, beta, gamma }: Required<MeteorWeights>,
): number {
  if (matches === 0) return 0
  const precision = matches / answerWords
  const recall = matches / referenceWords
  const fMean = (precision * recall) / (alpha * precision + (1 - alpha) * recall)
  return (1 - gamma * (chunks / matches) ** beta) * fMean
}
