import type { Checker, Project, Signature, Type, Symbol as TypeSymbol } from "typescript/unstable/sync"
import { SignatureKind, SymbolFlags } from "typescript/unstable/sync"

/** What `import { … } from "evalkit"` gives: a function that makes a value, or the value itself. */
export interface PublicValue {
  /** As TypeScript writes it: `openai`, `rubrics.correctness`. */
  readonly name: string
  readonly symbol: TypeSymbol
  /** How it is called; empty for a value that is made already. */
  readonly signatures: readonly Signature[]
  /** What it is, or what its calls make. */
  readonly types: readonly Type[]
}

/** Every value of the front door, those of its groups (`rubrics`, `judged` …) among them. */
export function publicValues(project: Project, file: string): readonly PublicValue[] {
  const { checker } = project
  const module = moduleOf(project, file)
  return checker.getExportsOfModule(module).flatMap((exported): readonly PublicValue[] => {
    const symbol = resolved(checker, exported)
    if (symbol.flags & SymbolFlags.ValueModule)
      return checker
        .getExportsOfModule(symbol)
        .flatMap((member) => publicValueOf(checker, resolved(checker, member), `${exported.name}.${member.name}`))
    return publicValueOf(checker, symbol, exported.name)
  })
}

/** What a module exports under a name, followed to its declaration. */
export function exportedSymbol(project: Project, file: string, name: string): TypeSymbol {
  const found = project.checker.getExportsOfModule(moduleOf(project, file)).find((one) => one.name === name)
  if (!found) throw new Error(`${file} has no ${name}`)
  return resolved(project.checker, found)
}

function moduleOf({ program, checker }: Project, file: string): TypeSymbol {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is no module`)
  return module
}

function resolved(checker: Checker, symbol: TypeSymbol): TypeSymbol {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function publicValueOf(checker: Checker, symbol: TypeSymbol, name: string): readonly PublicValue[] {
  if (!(symbol.flags & SymbolFlags.Value) || symbol.flags & SymbolFlags.Class) return []
  const type = checker.getTypeOfSymbol(symbol)
  if (!type) return []
  const signatures = checker.getSignaturesOfType(type, SignatureKind.Call)
  const types =
    signatures.length === 0 ? [type] : signatures.flatMap((own) => checker.getReturnTypeOfSignature(own) ?? [])
  return [{ name, symbol, signatures, types }]
}
