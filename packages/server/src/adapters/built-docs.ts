import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { BuiltDocs, BuiltFile, DocsSite } from '../ports/built-assets.ts'
import { AssetError, following, notBuilt, readText } from './built-assets.ts'

const Source = z.string().regex(/^sha256-[A-Za-z0-9+/]{43}=$/)
const Integrity = z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/)
const Manifest = z.strictObject({
  scripts: z.array(Source),
  styles: z.array(Source),
  files: z.record(z.string().regex(/^[\w@-][\w@.-]*(?:\/[\w@-][\w@.-]*)*$/), Integrity),
})

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Where `npm run build` leaves the documentation in this repository. */
export const docsFolder: string = fileURLToPath(new URL('../../../../docs/.vitepress/dist', import.meta.url))

/**
 * Serves the documentation from its folder; only its manifest stays in memory. `fixed` reads everything once and throws `AssetError` when
 * a file is missing or damaged; `following` answers undefined until the site is there and follows each build.
 */
export function builtDocs(folder: string, mode: 'fixed' | 'following'): BuiltDocs {
  if (mode === 'following') return following(join(folder, 'manifest.json'), () => readSite(folder))
  const site = readSite(folder)
  for (const [path, integrity] of site.integrities)
    if (integrityOf(join(folder, path)) !== integrity) throw new AssetError(notBuilt(folder))
  return async () => site
}

function readSite(folder: string): DocsSite & { integrities: ReadonlyMap<string, string> } {
  const text = readText(join(folder, 'manifest.json'))
  const manifest = Manifest.safeParse(text === undefined ? undefined : JSON.parse(text))
  if (!manifest.success) throw new AssetError(notBuilt(folder))
  const { scripts, styles, files } = manifest.data
  const integrities = new Map(Object.entries(files))
  return {
    scripts,
    styles,
    integrities,
    async file(path) {
      const integrity = integrities.get(path)
      return integrity === undefined ? undefined : readDocsFile(folder, path, integrity)
    },
  }
}

/** Undefined while a build is being exchanged. */
async function readDocsFile(folder: string, path: string, integrity: string): Promise<BuiltFile | undefined> {
  try {
    const [body, gzipped] = await Promise.all([
      readFile(join(folder, path)),
      readFile(join(folder, `${path}.gz`)),
    ])
    return { name: path, type: types[extname(path)] ?? 'application/octet-stream', body, gzipped, integrity }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function integrityOf(path: string): string | undefined {
  try {
    return `sha384-${createHash('sha384').update(readFileSync(path)).digest('base64')}`
  } catch {
    return undefined
  }
}
