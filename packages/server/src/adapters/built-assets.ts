import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import type { BuiltAssets, BuiltFile, FrameAssets } from '../ports/built-assets.ts'

const entry = (extension: string) =>
  z.strictObject({
    file: z.string().regex(new RegExp(`^[a-z]+-[A-Za-z0-9_-]+\\.${extension}$`)),
    integrity: z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/),
  })
const Manifest = z.strictObject({ script: entry('js'), style: entry('css') })

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
}

/** Where the builds are: the frame's folder with its `manifest.json`, and the SDK's one file. */
export type AssetPlaces = { frameFolder: string; sdkFile: string }

/** Where `npm run build` leaves them in this repository. */
export const builtPlaces: AssetPlaces = {
  frameFolder: fileURLToPath(new URL('../../../iframe/dist', import.meta.url)),
  sdkFile: fileURLToPath(new URL('../../../sdk/dist/browser.js', import.meta.url)),
}

/** Something that browsers load is not built, or is not what its manifest says. */
export class AssetError extends Error {
  override readonly name = 'AssetError'
}

/**
 * Serves what is on disk from memory. `fixed` reads it now, once, and throws `AssetError` when anything is missing or damaged;
 * `following` answers undefined until it is there and reads it again whenever a build has replaced it.
 */
export function builtAssets(places: AssetPlaces, mode: 'fixed' | 'following'): BuiltAssets {
  const frame = () => readFrame(places.frameFolder)
  const sdk = () => readBuilt(places.sdkFile, 'browser.js')
  if (mode === 'fixed') {
    const [theFrame, theSdk] = [frame(), sdk()]
    return { frame: async () => theFrame, sdk: async () => theSdk }
  }
  return {
    frame: following(join(places.frameFolder, 'manifest.json'), frame),
    sdk: following(places.sdkFile, sdk),
  }
}

function readFrame(folder: string): FrameAssets {
  const text = readText(join(folder, 'manifest.json'))
  const manifest = Manifest.safeParse(text === undefined ? undefined : JSON.parse(text))
  if (!manifest.success) throw new AssetError(notBuilt(folder))
  const read = ({ file, integrity }: { file: string; integrity: string }) => {
    const built = readBuilt(join(folder, file), file)
    if (built.integrity !== integrity) throw new AssetError(notBuilt(folder))
    return built
  }
  return { script: read(manifest.data.script), style: read(manifest.data.style) }
}

/** Reads a built file whole. Throws `AssetError` where it is missing. */
export function readBuilt(path: string, name: string): BuiltFile {
  let body: Buffer
  try {
    body = readFileSync(path)
  } catch {
    throw new AssetError(notBuilt(path))
  }
  return {
    name,
    type: types[extname(name)] ?? 'application/octet-stream',
    body,
    gzipped: gzipSync(body, { level: 9 }),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
  }
}

/** Reads a text; undefined where it is missing. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The advice for a missing build. */
export const notBuilt = (path: string) => `${path} is missing or damaged. Run \`npm run build\`.`

/** Reads again when the watched file is another one; a build that is just being exchanged counts as none. */
export function following<assets>(watched: string, read: () => assets): () => Promise<assets | undefined> {
  let stamp: string | undefined
  let last: assets | undefined
  return async () => {
    const now = stampOf(watched)
    if (now !== undefined && now === stamp) return last
    stamp = undefined
    last = undefined
    if (now === undefined) return undefined
    try {
      last = read()
      stamp = now
    } catch (error) {
      if (!(error instanceof AssetError) && !(error instanceof SyntaxError)) throw error
    }
    return last
  }
}

function stampOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}
