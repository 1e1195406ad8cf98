import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { BuiltFile, BuiltPortal, PortalAssets } from '../ports/built-assets.ts'
import { AssetError, following, notBuilt, readBuilt, readText } from './built-assets.ts'

const Manifest = z.record(
  z.string().regex(/^[\w-]+-[\w-]{8}\.(?:js|css)$/),
  z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/),
)

/** Where `npm run build` leaves the portal in this repository. */
export const portalFolder: string = fileURLToPath(new URL('../../../portal/dist', import.meta.url))

/**
 * Serves the portal from memory. `fixed` reads it now, once, and throws `AssetError` when anything is missing or damaged;
 * `following` answers undefined until it is there and reads it again whenever a build has replaced it.
 */
export function builtPortal(folder: string, mode: 'fixed' | 'following'): BuiltPortal {
  const read = () => readPortal(folder)
  if (mode === 'following') return following(join(folder, 'manifest.json'), read)
  const portal = read()
  return async () => portal
}

function readPortal(folder: string): PortalAssets {
  const page = readText(join(folder, 'index.html'))
  const text = readText(join(folder, 'manifest.json'))
  const manifest = Manifest.safeParse(text === undefined ? undefined : JSON.parse(text))
  if (!manifest.success || page === undefined) throw new AssetError(notBuilt(folder))
  const files = new Map<string, BuiltFile>()
  for (const [name, integrity] of Object.entries(manifest.data)) {
    const file = readBuilt(join(folder, 'assets', name), name)
    if (file.integrity !== integrity) throw new AssetError(notBuilt(folder))
    files.set(name, file)
  }
  return { page, files }
}
