/**
 * Names of the numbers that a GGUF file states as `general.file_type`, by llama.cpp's `llama_ftype`: how most of its tensors are stored, and
 * for mixtures (`_S`, `_M`, `_L`) which of them are finer. Several mixtures have the same tensor types, so that only this number tells them.
 */
const names: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
  39: "NVFP4",
  40: "Q1_0",
  41: "Q2_0",
}

/**
 * The name of a file's quantization; null for a number that is not known, and where the file states none.
 *
 * @example fileTypeName(15) // "Q4_K_M"
 */
export function fileTypeName(value: unknown): string | null {
  return typeof value === "number" && Object.hasOwn(names, value) ? (names[value] as string) : null
}
