// Scoring at full speed, in a process of its own as evalkit's scoring is: string work without a pause.
const text = "the quick brown fox jumps over the lazy dog ".repeat(50)
for (;;) text.split(" ").sort().join(" ").toUpperCase()
