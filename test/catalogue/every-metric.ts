import * as evalkit from "evalkit"
import * as metrics from "evalkit/metrics"

/** JSON that fulfils a schema, as small as it can be: a judge without a model. */
function instanceOf(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return "x"
  const { type, enum: allowed, const: only, properties, items, anyOf } = schema as Readonly<Record<string, unknown>>
  if (only !== undefined) return only
  if (Array.isArray(allowed)) return allowed[0]
  if (Array.isArray(anyOf)) return instanceOf(anyOf[0])
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === "object")
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, entry]) => [name, instanceOf(entry)]))
  if (kind === "array") return [instanceOf(items)]
  if (kind === "boolean") return true
  if (kind === "number" || kind === "integer") return 1
  return "The text says so."
}

/** A judge that says the first thing that its schema allows. */
const provider = evalkit.fromFunction(
  async ({ parameters }) => ({
    text: parameters.jsonSchema ? JSON.stringify(instanceOf(parameters.jsonSchema.schema)) : "yes",
    costUsd: 0,
  }),
  { name: "first-choice", model: "first-choice" },
)

const { toxicity, correctness } = evalkit.rubrics

/** Every metric of the catalogue by the name of its factory, made as a config makes it. */
export function everyMetric(at: { readonly nli: string; readonly moderation: string; readonly model: URL }) {
  const words = () => evalkit.classifier({ model: at.nli })
  const encoder = () => evalkit.crossEncoder({ model: at.nli, label: "entailment" })
  const nli = () => evalkit.entailmentModel(words())
  const by = evalkit.openaiModeration({ baseUrl: at.moderation, apiKeyVariable: null, retries: 0, usdPerRequest: 0 })
  const tiny = evalkit.local(at.model)
  const judged = { provider }
  return {
    adaptiveCalibrationError: evalkit.adaptiveCalibrationError(),
    agreementCalibrationError: evalkit.agreementCalibrationError(),
    answerCorrectness: evalkit.answerCorrectness(),
    answerPerplexity: evalkit.answerPerplexity(),
    answerRelevancy: evalkit.answerRelevancy(),
    argumentF1: evalkit.argumentF1(),
    attackSuccess: evalkit.attackSuccess(),
    auroc: evalkit.auroc(),
    bbq: evalkit.bbq(),
    bertScore: evalkit.bertScore(),
    bestOf: evalkit.bestOf({ ...judged, name: "bestOf", others: () => ["No."] }),
    bleu: evalkit.bleu(),
    brier: evalkit.brier(),
    checklist: evalkit.checklist({ ...judged, name: "checklist", items: ["Is it a sentence?"] }),
    choiceMatch: evalkit.choiceMatch(),
    chrf: evalkit.chrf(),
    citationPrecision: evalkit.citationPrecision(),
    citationRecall: evalkit.citationRecall({ support: nli() }),
    classification: evalkit.classification({ labels: ["accept", "reject"] }),
    classwiseCalibrationError: evalkit.classwiseCalibrationError(),
    column: evalkit.column({ column: "reward" }),
    compressionRatio: evalkit.compressionRatio(),
    contains: evalkit.contains(),
    contextPrecision: evalkit.contextPrecision(),
    contextRecall: evalkit.contextRecall(),
    contextRelevancy: evalkit.contextRelevancy(),
    counterfactualBias: evalkit.counterfactualBias(),
    custom: evalkit.custom({ name: "custom", direction: "higher", measure: (_, { text }) => text.length / 1e4 }),
    debiasedCalibrationError: evalkit.debiasedCalibrationError(),
    demographicParity: evalkit.demographicParity(),
    distinctAnswers: evalkit.distinctAnswers(),
    distinctN: evalkit.distinctN(),
    editDistance: evalkit.editDistance(),
    embeddingSimilarity: evalkit.embeddingSimilarity(),
    entityRecall: evalkit.entityRecall(),
    equalizedOdds: evalkit.equalizedOdds(),
    equalOpportunity: evalkit.equalOpportunity(),
    exactMatch: evalkit.exactMatch(),
    expectedCalibrationError: evalkit.expectedCalibrationError(),
    groundedness: evalkit.groundedness(),
    groupAccuracy: evalkit.groupAccuracy(),
    finalState: metrics.finalState({ success: (state) => JSON.stringify(state).includes("found") }),
    needlessCalls: metrics.needlessCalls(),
    onToolResults: metrics.onToolResults(evalkit.rouge(), { name: "onToolResults" }),
    answerField: metrics.answerField(evalkit.tokenF1(), { path: "answer", name: "answerField" }),
    perTurn: metrics.perTurn(evalkit.tokenF1(), { name: "perTurn" }),
    policyViolations: metrics.policyViolations({ rules: { "calls nothing": ({ calls }) => calls.length > 0 } }),
    resultUse: metrics.resultUse(),
    toolRecovery: metrics.toolRecovery(),
    wholeConversation: metrics.wholeConversation(evalkit.tokenF1(), { name: "wholeConversation" }),
    hallucination: evalkit.hallucination({
      detectors: [
        evalkit.ungroundedFacts({ name: "facts" }),
        evalkit.unentailedSentences({ name: "nli", model: nli() }),
        evalkit.unsupportedClaims({ ...judged, name: "claims" }),
      ],
    }),
    hitAtK: evalkit.hitAtK(),
    inventedCitations: evalkit.inventedCitations(),
    jaroWinkler: evalkit.jaroWinkler(),
    jsonMatch: evalkit.jsonMatch(),
    languageMatch: evalkit.languageMatch(),
    judgedAnswerRelevancy: metrics.judgedAnswerRelevancy(judged),
    judgedContextPrecision: metrics.judgedContextPrecision(judged),
    judgedContextRecall: metrics.judgedContextRecall(judged),
    judgedContextRelevancy: metrics.judgedContextRelevancy(judged),
    judgedFaithfulness: metrics.judgedFaithfulness(judged),
    judgedNoiseSensitivity: metrics.judgedNoiseSensitivity(judged),
    leaks: evalkit.leaks(),
    learnedScore: evalkit.learnedScore({ by: encoder() }),
    detectorMetric: metrics.detectorMetric({
      name: "detectorMetric",
      signature: "detectorMetric|v1",
      threshold: 0.5,
      cost: "none",
      blindSpot: "everything",
      assess: () => ({ score: 0, checked: 1, unsupported: 0, offences: [] }),
    }),
    maximumCalibrationError: evalkit.maximumCalibrationError(),
    meanAveragePrecision: evalkit.meanAveragePrecision(),
    meanMetric: evalkit.meanMetric({ name: "meanMetric", signature: "meanMetric|v1", measure: () => 1 }),
    meteor: evalkit.meteor(),
    meteorStems: evalkit.meteorStems({ language: "de" }),
    missingCitations: evalkit.missingCitations(),
    moderation: evalkit.moderation({ by }),
    moverScore: evalkit.moverScore(),
    ndcg: evalkit.ndcg(),
    nearIdentity: evalkit.nearIdentity({ against: "f16" }),
    negativeLogLikelihood: evalkit.negativeLogLikelihood(),
    noiseSensitivity: evalkit.noiseSensitivity(),
    numericMatch: evalkit.numericMatch(),
    pairwise: evalkit.pairwise({ ...judged, name: "pairwise", against: { variant: "q4_0" } }),
    panel: evalkit.panel(
      [
        evalkit.rubric({ ...judged, name: "first", rubric: correctness }),
        evalkit.rubric({ provider: tiny, name: "second", rubric: correctness }),
      ],
      { name: "panel" },
    ),
    passAtK: evalkit.passAtK({ k: 2 }),
    passHatK: evalkit.passHatK({ k: 2 }),
    perplexity: evalkit.perplexity(),
    precisionAtK: evalkit.precisionAtK(),
    readability: evalkit.readability(),
    lostPassages: evalkit.lostPassages(),
    recallAtK: evalkit.recallAtK(),
    reciprocalRank: evalkit.reciprocalRank(),
    referenceGuided: evalkit.referenceGuided({ ...judged, name: "referenceGuided" }),
    refusal: evalkit.refusal(),
    refusalBalance: evalkit.refusalBalance(),
    regexMatch: evalkit.regexMatch({ pattern: /\.$/ }),
    riskCoverage: evalkit.riskCoverage(),
    rouge: evalkit.rouge(),
    rubric: evalkit.rubric({ provider: tiny, name: "rubric", rubric: evalkit.rubrics.tinyJudge() }),
    selfAgreement: evalkit.selfAgreement(),
    selfBleu: evalkit.selfBleu(),
    selfConsistency: evalkit.selfConsistency({ form: "nli", model: nli() }),
    semanticAnswerSimilarity: evalkit.semanticAnswerSimilarity({ crossEncoder: encoder() }),
    semanticEntropy: evalkit.semanticEntropy({ model: nli() }),
    stepEfficiency: evalkit.stepEfficiency(),
    stereotypePreference: evalkit.stereotypePreference(),
    summaryFacts: evalkit.summaryFacts(),
    taskCompletionCheck: evalkit.taskCompletionCheck({ check: () => true }),
    ter: evalkit.ter(),
    tokenF1: evalkit.tokenF1(),
    toolCorrectness: evalkit.toolCorrectness(),
    toxicity: evalkit.toxicity(),
    toxicityDetectors: evalkit.toxicityDetectors({
      detectors: [
        evalkit.toxicity({ name: "words" }),
        evalkit.toxicity({ name: "classifier", model: words(), labels: ["contradiction"] }),
        evalkit.moderation({ name: "endpoint", by }),
        evalkit.rubric({ ...judged, name: "judge", rubric: toxicity }),
      ],
    }),
    unentailedSentences: evalkit.unentailedSentences({ model: evalkit.entailmentModel(encoder()) }),
    ungroundedFacts: evalkit.ungroundedFacts(),
    unsupportedClaims: evalkit.unsupportedClaims(judged),
    verbatimContinuation: evalkit.verbatimContinuation(),
    winoBias: evalkit.winoBias(),
    wordMoversDistance: evalkit.wordMoversDistance(),
  }
}
