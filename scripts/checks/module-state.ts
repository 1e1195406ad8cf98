import type { ParsedFile } from './parsed-file.ts'

/**
 * What a module keeps between calls, as `file:line: name`: a `let`, an empty collection or a memo at its top level. Programs
 * (`main.ts`, `…-main.ts`, `.tsx` entries) own their process and are exempt.
 */
export function moduleState(files: readonly ParsedFile[]): string[] {
  return files
    .filter(({ path }) => !/\/(?:[a-z-]+-)?main\.tsx?$/.test(path))
    .flatMap((file) => {
      return file.program.body.flatMap((statement) => {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration') return []
        return declaration.declarations
          .filter(
            (one) =>
              declaration.kind === 'let' ||
              (!isConstant(file.text.slice(one.id.start, one.id.end)) &&
                keeps(one.init ? file.text.slice(one.init.start, one.init.end) : '')),
          )
          .map(
            (one) =>
              `${file.path}:${file.lineOf(one.start)}: ${file.text.slice(one.id.start, one.id.end).split(':')[0]}`,
          )
      })
    })
}

function keeps(initializer: string): boolean {
  return /^(new (Weak)?(Map|Set)(<[^(]*>)?\(\)|(remember|memoi[sz]e|cached?|once)\w*\()/.test(initializer)
}

/** An annotation `Readonly…` says that nobody adds to it. */
function isConstant(binding: string): boolean {
  return /:\s*Readonly(Map|Set)\b/.test(binding)
}
