import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuiltTools } from '../ports/built-assets.ts'
import { following, readBuilt } from './built-assets.ts'

const built = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))

/** Where `npm run build` leaves the tools in this repository. */
export const toolFiles: readonly string[] = [
  built('verify/dist/verify.js'),
  built('rescue/dist/rescue.js'),
  built('rescue/dist/rescue.html'),
]

/**
 * The tools that people download, each one file, by its name. `fixed` reads them now, once, and throws `AssetError` when one is
 * missing; `following` answers undefined until it is there and reads it again whenever a build has replaced it.
 */
export function builtTools(files: readonly string[], mode: 'fixed' | 'following'): BuiltTools {
  const tools = new Map(
    files.map((file) => {
      const read = () => readBuilt(file, basename(file))
      if (mode === 'following') return [basename(file), following(file, read)]
      const tool = read()
      return [basename(file), async () => tool]
    }),
  )
  return { names: [...tools.keys()], tool: async (name) => tools.get(name)?.() }
}
