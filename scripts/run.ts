/**
 * Runs a program of the platform, `<program> [arguments]`: built, where that was built from what the sources are now, else from its sources.
 * Programs are listed in scripts/build/programs.ts.
 */
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isUpToDate } from './build/build-stamp.ts'
import { programs, programsBuild } from './build/programs.ts'

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The file of a program to run, of the repository at `root`. Throws for one that there is not. */
export function programFile(name: string, root = repository): string {
  const source = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (source === undefined)
    throw new Error(`There is no program ${name}; there are: ${Object.keys(programs).join(', ')}`)
  return path.join(root, isUpToDate(root, programsBuild) ? `${programsBuild.output}/${name}.js` : source)
}

if (import.meta.main) {
  const [node = process.execPath, , name = '', ...rest] = process.argv
  const file = programFile(name)
  // As if it had been run itself: processes that it forks are the same program.
  process.argv = [node, file, ...rest]
  await import(pathToFileURL(file).href)
}
