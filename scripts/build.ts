/**
 * Builds the assets that are missing or older than their sources, one line each. Run: `npm run build`, with names for only
 * those (`npm run build -- sdk`), with `--check-only` only checks, with exit code 1 when something is out of date.
 * `--at-install` leaves quietly what cannot be built here: a production install has no build tools. `--in-background` gives
 * way to other processes and ends with its standard input, that is with whoever started it.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AssetBuild } from './build/asset-build.ts'
import { buildAsset } from './build/build-asset.ts'
import { withBuildLock } from './build/build-lock.ts'
import { isUpToDate } from './build/build-stamp.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const builders = path.join(root, 'scripts/build')

/** Every asset, or those with the given names: each is a builder `scripts/build/<name>.ts` that exports `<name>Build`. */
export async function assets(names?: readonly string[]): Promise<AssetBuild[]> {
  const all = readdirSync(builders)
    .filter((file) => file.endsWith('.ts') && !/^(asset|build)-|\.test\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
  const unknown = names?.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`There is no asset ${unknown}; there are: ${all.join(', ')}`)
  return Promise.all(all.filter((name) => names === undefined || names.includes(name)).map(assetOf))
}

/**
 * Builds what is missing or stale and waits for whoever builds already. The work is done by a process of its own, as for
 * production, whatever the caller's environment is. Rejects when a build fails, after its words went to standard error.
 */
export async function ensureBuilt(names?: readonly string[]): Promise<void> {
  if ((await assets(names)).every((asset) => isUpToDate(root, asset))) return
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...(names ?? [])], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error('An asset could not be built: see above, or run npm run build.')
}

async function assetOf(name: string): Promise<AssetBuild> {
  const module = (await import(pathToFileURL(path.join(builders, `${name}.ts`)).href)) as Record<
    string,
    unknown
  >
  const asset = module[`${name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Build`]
  if (asset === undefined) throw new Error(`scripts/build/${name}.ts exports no ${name}Build`)
  return asset as AssetBuild
}

/** Answers whether it went well. */
async function rebuild(asset: AssetBuild): Promise<boolean> {
  const startedAt = performance.now()
  try {
    await buildAsset(root, asset)
    report(asset, `built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    return true
  } catch (error) {
    report(asset, 'FAILED')
    console.error(error)
    return false
  }
}

function report(asset: AssetBuild, what: string): void {
  console.log(`${asset.name.padEnd(8)} ${what.padEnd(16)} ${asset.output}`)
}

async function main(args: readonly string[]): Promise<number> {
  const isAtInstall = args.includes('--at-install')
  if (
    isAtInstall &&
    !['rolldown', 'vite'].every((tool) => existsSync(path.join(root, 'node_modules', tool)))
  ) {
    console.log('Assets were not built: this install has no build tools (npm run build needs them).')
    return 0
  }
  const names = args.filter((arg) => !arg.startsWith('--'))
  const wanted = await assets(names.length > 0 ? names : undefined)
  const stale = () => wanted.filter((asset) => !isUpToDate(root, asset))
  if (args.includes('--check-only')) {
    for (const asset of wanted) report(asset, isUpToDate(root, asset) ? 'up to date' : 'OUT OF DATE')
    return stale().length > 0 ? 1 : 0
  }
  if (isAtInstall && stale().length === 0) return 0
  const isWell = await withBuildLock(root, async () => {
    let isAllWell = true
    // The documentation takes longest, and others wait for the rest: a page that imports the SDK, for example.
    for (const asset of wanted.toSorted((a, b) => Number(a.name === 'docs') - Number(b.name === 'docs')))
      if (isUpToDate(root, asset)) report(asset, 'up to date')
      else if (!(await rebuild(asset))) isAllWell = false
    return isAllWell
  })
  if (isAtInstall && !isWell)
    console.error('Assets were not built; everything else works. Again: npm run build')
  return isWell || isAtInstall ? 0 : 1
}

if (import.meta.main) {
  process.env['NODE_ENV'] = 'production'
  const args = process.argv.slice(2)
  if (args.includes('--in-background')) {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    process.stdin.once('end', () => process.exit(1)).resume()
  }
  process.exit(await main(args))
}
