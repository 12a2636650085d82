import { percent } from "../percent.ts"

/** Titles of the sections of citations, and of their columns. */
export const citationTitles = {
  recall: (metric: string) => `Whether sentences rest on what they cite (${metric})`,
  precision: (metric: string) => `Whether citations help (${metric})`,
  supported: "sentences supported by what they cite",
  invented: "answers that cite a passage which does not exist",
} as const

/** Mean shares of an answer's sentences, 0..1: those that their citations support, and those that cite nothing. */
export function citationRecallSentence(variant: string, supported: number, uncited: number): string {
  return `${variant}: ${percent(supported)} of an answer's sentences are supported by the passages that they cite; ${percent(uncited)} cite none.`
}

/** Mean share of an answer's citations that help, and share of the answers that cite what does not exist, 0..1. */
export function citationPrecisionSentence(variant: string, helping: number, inventing: number): string {
  return `${variant}: ${percent(helping)} of an answer's citations help to support their sentence; ${percent(inventing)} of the answers cite a passage that does not exist.`
}
