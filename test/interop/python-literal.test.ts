import { expect, it } from "vitest"
import { pythonLiteral } from "../../src/interop/python-literal.ts"

// Expected: what `repr()` of CPython 3.12 was made from.
it.each([
  ["['a', \"it's\", 'say \"x\"', 'both \\' and \"']", ["a", "it's", 'say "x"', "both ' and \""]],
  [
    "[{'role': 'user', 'content': 'a\\nb\\\\c\\té'}, (True, None), ('x',)]",
    [{ role: "user", content: "a\nb\\c\té" }, [true, null], ["x"]],
  ],
  [
    "{'n': -1.5e-07, 'm': 3, 'v': nan, 'bytes': '\\x00\\x7f\\u200b\\U000e0041'}",
    { n: -1.5e-7, m: 3, v: null, bytes: "\u0000\u007f\u200b\u{e0041}" },
  ],
  ["[]", []],
  ["{}", {}],
])("reads %s", (text, value) => {
  expect(pythonLiteral(text)).toEqual(value)
})

it.each(["[Decimal('1')]", "['a'", "['a' 'b']", "see [1]", "{1, 2}", "{'__proto__': 1}]"])(
  "is nothing for %s",
  (text) => {
    expect(pythonLiteral(text)).toBeUndefined()
  },
)
