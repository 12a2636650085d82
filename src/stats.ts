// `evalkit/stats`: the statistics that reports rest on, for code of one's own.

export { cohensKappa, type KappaWeights } from "./stats/agreement/cohen-kappa.ts"
export { type Correlation, pearson, spearman } from "./stats/agreement/correlation.ts"
export { fleissKappa } from "./stats/agreement/fleiss-kappa.ts"
export { gwetAc1 } from "./stats/agreement/gwet-ac1.ts"
export { gwetAc2 } from "./stats/agreement/gwet-ac2.ts"
export { type IntraclassCorrelations, intraclassCorrelations } from "./stats/agreement/intraclass-correlation.ts"
export { type KendallOptions, kendall } from "./stats/agreement/kendall.ts"
export { kendallW } from "./stats/agreement/kendall-w.ts"
export { krippendorffAlpha, type MeasurementLevel } from "./stats/agreement/krippendorff-alpha.ts"
export { somersD } from "./stats/agreement/somers-d.ts"
export { weightedTau } from "./stats/agreement/weighted-tau.ts"
export { type CalibrationBin, equalMassBins, equalWidthBins } from "./stats/calibration/calibration-bins.ts"
export {
  averageGap,
  debiasedExpectedGap,
  debiasedRootMeanSquareGap,
  expectedGap,
  maximumGap,
  rootMeanSquareGap,
} from "./stats/calibration/calibration-gap.ts"
export { type CalibrationInterval, calibrationInterval } from "./stats/calibration/calibration-interval.ts"
export { classwiseGap, marginalGap } from "./stats/calibration/classwise-gap.ts"
export { fitIsotonic, type IsotonicFit } from "./stats/calibration/isotonic-regression.ts"
export { meanLogLoss } from "./stats/calibration/platt-scaling.ts"
export { areaUnderRoc, averagePrecision, selectiveAccuracy } from "./stats/calibration/ranking.ts"
export { brierDecomposition, logLoss, squaredError } from "./stats/calibration/scoring-rules.ts"
export { type FittedTemperature, fitTemperature, softmax } from "./stats/calibration/temperature-scaling.ts"
export {
  betaCdf,
  betaQuantile,
  binomialCdf,
  chiSquareCdf,
  chiSquareQuantile,
  chiSquareTail,
  logGamma,
  normalCdf,
  normalPdf,
  normalQuantile,
  studentCdf,
  studentQuantile,
  studentTwoSided,
} from "./stats/distributions.ts"
export { type BettingInterval, type BettingOptions, bettingInterval } from "./stats/intervals/betting-interval.ts"
export { type ClusterCorrection, type ClusterRobustMean, clusterRobustMean } from "./stats/intervals/cluster-robust.ts"
export {
  type EmpiricalBernsteinOptions,
  empiricalBernsteinInterval,
  hoeffdingInterval,
} from "./stats/intervals/empirical-bernstein.ts"
export type { BoundWarning, MeanBound } from "./stats/intervals/mean-bound.ts"
export { type MeanInterval, meanInterval } from "./stats/intervals/mean-interval.ts"
export { newcombeDifference, newcombePairedInterval, type PairedCounts } from "./stats/intervals/newcombe-interval.ts"
export { type PairedBound, type PairedBoundOptions, pairedBound } from "./stats/intervals/paired-bound.ts"
export {
  type PairedDifference,
  type PairedDifferenceOptions,
  pairedMeanDifference,
} from "./stats/intervals/paired-difference.ts"
export {
  type JudgedItem,
  type PredictionPoweredMean,
  predictionPoweredMean,
} from "./stats/intervals/prediction-powered.ts"
export {
  agrestiCoullInterval,
  type Bounds,
  clopperPearsonInterval,
  jeffreysInterval,
  waldInterval,
  wilsonInterval,
} from "./stats/intervals/proportion-interval.ts"
export { type QuantileInterval, quantileInterval } from "./stats/intervals/quantile-interval.ts"
export {
  type SeriesQuantile,
  type SeriesQuantileOptions,
  seriesQuantileInterval,
} from "./stats/intervals/series-quantile.ts"
export { studentInterval } from "./stats/intervals/student-interval.ts"
export { exactPairedLowerBound, tangoInterval } from "./stats/intervals/tango-interval.ts"
export { mean, standardDeviation, standardError, variance } from "./stats/mean.ts"
export { passAtKEstimate, passHatKEstimate } from "./stats/pass-at-k-estimate.ts"
export { type QuantileMethod, quantile } from "./stats/quantile.ts"
export { bradleyTerry } from "./stats/ranking/bradley-terry.ts"
export { eloRatings, type Match } from "./stats/ranking/elo.ts"
export { dominates, nondominated, type Point, paretoFronts } from "./stats/ranking/pareto.ts"
export { type LengthPair, lengthControlledWinRate, type WinRate, winRate } from "./stats/ranking/win-rate.ts"
export { ranks } from "./stats/ranks.ts"
export { logisticRegression } from "./stats/regression/logistic-regression.ts"
export { basicInterval, bcaInterval, percentileInterval } from "./stats/resampling/bootstrap-interval.ts"
export { bootstrapMeans } from "./stats/resampling/bootstrap-mean.ts"
export { bootstrapP } from "./stats/resampling/bootstrap-p.ts"
export type { VectorRows } from "./stats/resampling/bootstrap-vectors.ts"
export type { UnitNumbers } from "./stats/resampling/units.ts"
export { type AlphaSpending, type SequentialDesign, sequentialDesign } from "./stats/sequential/alpha-spending.ts"
export { changePoints } from "./stats/sequential/change-point.ts"
export { levelShifts } from "./stats/sequential/level-shift.ts"
export { approximateRandomization } from "./stats/tests/approximate-randomization.ts"
export { pairedCohensD } from "./stats/tests/effect-size.ts"
export { kolmogorovSmirnov } from "./stats/tests/kolmogorov-smirnov.ts"
export { mannWhitney } from "./stats/tests/mann-whitney.ts"
export { mcnemarChiSquare, mcnemarExact } from "./stats/tests/mcnemar.ts"
export { adjustE, adjustP, type Correction } from "./stats/tests/multiple-tests.ts"
export { type MarginVerdict, marginVerdict, samplesToSettle } from "./stats/tests/non-inferiority.ts"
export { type PermutationResult, signFlipTest } from "./stats/tests/permutation.ts"
export {
  defaultPower,
  minimumDetectableEffect,
  powerOfDifference,
  samplesForDifference,
  samplesForMargin,
} from "./stats/tests/power.ts"
export { signTest } from "./stats/tests/sign-test.ts"
export { pairedTTest, studentTTest, type TTest, welchTTest } from "./stats/tests/t-test.ts"
export { type Alternative, type WilcoxonOptions, wilcoxonSignedRank, type ZeroMethod } from "./stats/tests/wilcoxon.ts"
