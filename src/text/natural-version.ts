/** Version of the package natural whose stemmers and phonetic codes are used; part of signatures and fingerprints. */
export const naturalVersion = "8.1.1"
