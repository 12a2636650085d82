/** Advice on the metrics that decide. */
export const metricAdviceWords = {
  manyDecide: (metrics: string, max: number) =>
    `${metrics} metrics decide, and a candidate has to pass by each of them: more than ${max} leave little power. Name fewer under "primary"; the others are still measured.`,
  constant: (metric: string, answers: string, where: string) =>
    `${metric} decides, and gave each of ${answers} of ${where} the same value: it told no variant from another, and more samples like those will not change that.`,
  bothDecide: "Both decide: one of them is enough.",
  alike: "They tell the same: one of them is enough, unless you want to see both.",
  redundant: (pair: string, over: string, where: string, way: string, correlation: string, advice: string) =>
    `${pair} rank the ${over} of ${where} ${way} (Spearman ${correlation}). ${advice}`,
} as const
