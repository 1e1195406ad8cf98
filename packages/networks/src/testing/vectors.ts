import { existsSync, readFileSync } from 'node:fs'

const folder = new URL('../../../../../shared/vectors/', import.meta.url)

/** Third-party vectors lie beside the repository on some machines; the tests do not need them. */
export function vectorText(path: string): string | undefined {
  const file = new URL(path, folder)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** A vector file as JSON, typed by its reader, or `undefined` where there are no vectors. */
export function vectorJson<shape>(path: string): shape | undefined {
  const text = vectorText(path)
  return text === undefined ? undefined : (JSON.parse(text) as shape)
}
