/** Key of one answer within a variant, for maps: its sample and its repeat. */
export function answerKey(answer: { readonly sampleId: string; readonly repeat: number }): string {
  return `${answer.repeat}\u0000${answer.sampleId}`
}
