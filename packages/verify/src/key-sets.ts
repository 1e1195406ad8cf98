import type { AuditKeys } from '@symbolon/sdk/verify'
import { readText, UnreadableError, type VerifyWorld } from './world.ts'

/** The keys of several key sets; undefined without files. Throws `UnreadableError`. */
export function keysOf(files: readonly string[], world: VerifyWorld): AuditKeys | undefined {
  if (files.length === 0) return undefined
  return { keys: files.flatMap((file) => keySet(file, readText(world, file)).keys) }
}

function keySet(file: string, text: string): AuditKeys {
  try {
    const value: unknown = JSON.parse(text)
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)) return { keys }
  } catch {
    // Said below.
  }
  throw new UnreadableError(`${file} is not a key set: save the answer of /.well-known/jwks.json.`)
}
