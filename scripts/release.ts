/**
 * Turns the changesets into a release: one section in CHANGELOG.md and the same new version in every package. Run: `npm run release`.
 * Ours because Changesets writes a changelog per package, and users read one; it commits, tags and publishes nothing.
 *
 * `npm run release -- --sign-key <file> [--image <file>] [--out <file>]` signs what the hardware measures of the enclave image instead:
 * the image is `dist/image/symbolon-enclave.eif` and the signed release `packages/enclave/release.json` where none is named. Exit 1
 * where a file is not what it should be, 2 for arguments that are none.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ImageError } from './image/image-error.ts'
import { signedRelease } from './image/sign-release.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** What a release has of the plan that `changeset status` writes. */
type Plan = { changesets: { summary: string }[]; releases: { name: string; newVersion: string }[] }

/**
 * The section of a release after Keep a Changelog. A summary that begins with a kind ("Fixed: …") goes below that heading, any other
 * below "Changed".
 */
export function releaseSection(version: string, day: string, summaries: readonly string[]): string {
  const entries = summaries.map((summary) => {
    const [, kind, text] = /^(\w+):\s+([\s\S]+)$/.exec(summary.trim()) ?? []
    return kind !== undefined && text !== undefined && kinds.includes(kind)
      ? { kind, text }
      : { kind: 'Changed', text: summary.trim() }
  })
  const parts = kinds.flatMap((kind) => {
    const texts = entries
      .filter((entry) => entry.kind === kind)
      .map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`)
    return texts.length === 0 ? [] : [`### ${kind}\n\n${texts.join('\n')}\n`]
  })
  return `## [${version}] - ${day}\n\n${parts.join('\n')}`
}

/** Puts a section above the newest release. Throws where the changelog has none yet. */
export function withSection(changelog: string, section: string): string {
  const at = changelog.search(/^## \[\d/m)
  if (at < 0) throw new Error('CHANGELOG.md has no section of a release.')
  return `${changelog.slice(0, at)}${section}\n${changelog.slice(at)}`
}

function changeset(...args: string[]): void {
  execFileSync(process.execPath, [path.join(root, 'node_modules/@changesets/cli/bin.js'), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function readPlan(): Plan {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-release-'))
  try {
    const file = path.join(folder, 'plan.json')
    // Changesets takes paths relative to the root only.
    changeset('status', `--output=${path.relative(root, file)}`)
    return JSON.parse(readFileSync(file, 'utf8')) as Plan
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type SignOptions = { readonly 'sign-key': string; readonly image: string; readonly out: string }

function signRelease({ 'sign-key': key, image, out }: SignOptions): void {
  const release = signedRelease({ image, key })
  writeFileSync(out, `${JSON.stringify(release, null, 2)}\n`)
  console.log(`Signed version ${release.version} of the enclave image into ${path.relative(root, out)}.`)
}

function options() {
  try {
    return parseArgs({
      options: {
        'sign-key': { type: 'string' },
        image: { type: 'string', default: path.join(root, 'dist/image/symbolon-enclave.eif') },
        out: { type: 'string', default: path.join(root, 'packages/enclave/release.json') },
      },
    }).values
  } catch (error) {
    console.error(`release: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

function main(): number {
  const given = options()
  if (given === undefined) return 2
  const { 'sign-key': key, ...files } = given
  if (key === undefined) {
    makeRelease()
    return 0
  }
  try {
    signRelease({ 'sign-key': key, ...files })
    return 0
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    console.error(`release: ${error.message}`)
    return 1
  }
}

function makeRelease(): void {
  const { changesets, releases } = readPlan()
  const version = releases.find(({ name }) => name === '@symbolon/server')?.newVersion
  if (version === undefined || changesets.length === 0) {
    console.log('Nothing to release: there are no changesets. Add one with `npx changeset`.')
    return
  }
  const day = new Date().toISOString().slice(0, 10)
  const section = releaseSection(
    version,
    day,
    changesets.map(({ summary }) => summary),
  )
  const changelog = path.join(root, 'CHANGELOG.md')
  writeFileSync(changelog, withSection(readFileSync(changelog, 'utf8'), section))
  changeset('version')
  const manifest = path.join(root, 'package.json')
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace(/^ {2}"version": "[^"]+"/m, `  "version": "${version}"`),
  )
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'inherit' })
  console.log(
    `Version ${version}. Read CHANGELOG.md, then commit as "release: ${version}" and tag v${version}.`,
  )
}

if (import.meta.main) process.exitCode = main()
