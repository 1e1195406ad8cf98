/**
 * Writes docs/errors/, one page per error code and their list, from the catalogue and the routes of `packages/api`; with `--check` it
 * only compares, and exits 1 when a page is not what they say. Run: `npm run docs:generate`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errors, errorsOf, type Route, routes } from '@symbolon/api'
import { errorDocs } from '@symbolon/api/error-docs'

const folder = fileURLToPath(new URL('../docs/errors/', import.meta.url))
const codes = Object.keys(errors).sort() as ErrorCode[]
const allRoutes: readonly Route[] = Object.values(routes)

/** The pages by their file names. */
export function errorPages(): Map<string, string> {
  return new Map([['index.md', list()], ...codes.map((code): [string, string] => [`${code}.md`, page(code)])])
}

function list(): string {
  const rows = codes.map(
    (code) => `| [\`${code}\`](${code}.md) | ${errors[code].status} | ${errors[code].message} |`,
  )
  return `# Errors

A call that fails answers \`{"data": null, "error": {"code", "message"}}\`. Branch on \`code\`, which is stable. Show \`message\` to people: it
reveals nothing internal. Some codes add \`details\` that a program can act on. Every answer has an \`X-Request-Id\`, which identifies its
lines in the log.

| Code | Status | Message |
|---|---|---|
${rows.join('\n')}
`
}

function page(code: ErrorCode): string {
  const { status, message } = errors[code]
  const { cause, remedy } = errorDocs[code]
  return `# ${code}

> ${status} · ${message}

## Why it happens

${cause}

## What to do

${remedy}

## Where it occurs

${places(code)}

[All errors](index.md)
`
}

function places(code: ErrorCode): string {
  const all = allRoutes.filter((route) => (errorsOf(route) as readonly ErrorCode[]).includes(code))
  if (all.length === 0) return 'In answers of the HTTP server itself, before a route is found.'
  // Which routes have a rate is what a reader of that page wants to know, however many they are.
  if (code !== 'rate_limited' && all.length > allRoutes.length / 3)
    return `On ${all.length} of ${allRoutes.length} routes.`
  return all.map(({ method, path: at }) => `- \`${method} ${at}\``).join('\n')
}

function existing(): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isCurrent(pages: Map<string, string>): boolean {
  const files = existing()
  return (
    files.length === pages.size &&
    files.every((file) => readFileSync(path.join(folder, file), 'utf8') === pages.get(file))
  )
}

function main(): void {
  const pages = errorPages()
  if (process.argv.includes('--check')) {
    if (isCurrent(pages)) return
    process.stderr.write('docs/errors is out of date; run `npm run docs:generate`\n')
    process.exitCode = 1
    return
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of pages) writeFileSync(path.join(folder, file), text)
  process.stdout.write(`docs/errors: ${pages.size} pages\n`)
}

if (import.meta.main) main()
