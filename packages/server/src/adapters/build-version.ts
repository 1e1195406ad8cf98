import { readFileSync } from 'node:fs'
import * as z from 'zod'

const Manifest = z.object({ version: z.string() })

/** The version of this build, as its package names it (`0.1.0`). */
export const buildVersion = (): string =>
  Manifest.parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version
