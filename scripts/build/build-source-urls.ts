import path from 'node:path'
import type { Plugin } from 'rolldown'

/** Lines that are comments as a whole, as in documentation blocks. */
const comments = /^\s*(?:\/?\*|\/\/).*$/gm
const used = /\bimport\.meta\.(\w+)/g
/** Relative to the bundle, what these answer is what they would anyway. */
const kept = new Set(['url', 'resolve'])

/**
 * Lets `import.meta.url` of bundled modules go on saying where their sources are, since that is where the files lie that they look for beside
 * them. `from`: the folder that the bundle will be in; `except`: sources that ask where they run. Throws for what else they ask of `import.meta`.
 */
export function sourceUrls({ from, except }: { from: string; except: readonly string[] }): Plugin {
  return {
    name: 'source-urls',
    transform: {
      filter: { code: 'import.meta.' },
      handler(code, id) {
        if (except.includes(id)) return null
        for (const [, name = ''] of code.replaceAll(comments, '').matchAll(used))
          if (!kept.has(name))
            throw new Error(`${path.relative(from, id)}: import.meta.${name} is lost in a bundle`)
        const source = path.relative(from, id).replaceAll(path.sep, '/')
        return code.replaceAll(
          /\bimport\.meta\.url\b/g,
          `new URL(${JSON.stringify(source)}, import.meta.url).href`,
        )
      },
    },
  }
}
